/** The words and places of the patterns in dangers.ts, as parts of regular expressions. The texts are folded: small letters without accents. */

/** A value that is not false, empty, a number or a date. */
export const meant = String.raw`=(?!(?:false|no|none|null|never|off|0|nein|non|)$)(?!\d[\d:.t +z/-]*$)`
export const named = (words: string) => `^(?:[^=\\n]*_)?(?:${words})`
/** Verbs that pass something on, in the names of params. Inflections follow them. */
export const passing =
  'forward|fwd|relay|resend|redirect|divert|exfil|leak|mirror|upload|webhook|callback|hook_url|post_?back|send_[^=\\n]*to|sendto|shar(?:e|ed|ing)_[^=\\n]*(?:to|with|at)|report_to|tell|dispatch_to|deliver_to|copy_(?:[^=\\n]*_)?to|copyto|copies_to|bcc|export_(?:[^=\\n]*_)?to|sync_(?:[^=\\n]*_)?to|stream_(?:[^=\\n]*_)?to|publish_(?:[^=\\n]*_)?to|collector|exfiltrat|beacon|weiterleit|weitergeb|umleit|hochlad|kopie_an|senden?_an|schicken?_an|transferer_a|envoyer_a|renvoyer|rediriger|reenvi|enviar_a|redirigir|inoltr|inviare_a|encaminh|enviar_para|doorstur|sturen_naar|stuur_naar|przekaz|przeslij|wyslij|vidarebefordra|videresend'
/** Where something goes that lies outside. */
export const outside = String.raw`(?:(?!file:)[a-z][a-z0-9+.-]{1,20}:\/\/(?!localhost|127\.|\[::1)|[^\s@]{1,64}@[^\s@]{1,80}\.[a-z]|(?:[\w-]{1,63}\.){1,8}(?!(?:py|tsx?|m?jsx?|rs|go|rb|java|kt|md|json|csv|pdf|html|css|svg|png|jpe?g|txt|ya?ml|toml|mp[34]|wav|xlsx?|docx?|sql|ipynb|tex|cpp|hpp|swift|php|lua|xml)(?![/\w]))[a-z]{2,}(?:[/:]|$)|\\\\)`
export const destinations =
  'target|destination|dest|to|endpoint|recipient|recipients|receiver|host|to_host|server|remote|mailbox|peer|sink|bucket|url|uri|link|via|with|viewer|guest|an|ziel|vers|destino|naar'
export const people =
  'contacts?|customers?|clients?|patients?|employees?|users?|members?|leads?|address(?:es)?|kontakte?|kunden|adressbuch|clienti?|contactos?|inbox|mails?|emails?|mailbox|messages?|chats?|calendars?|kalender|photos?|fotos?|documents?|browser|profile|history|health|records?|notes|files|drive|database|dump|logs?'

/** Verbs that destroy, pay, send, run or open, as the value of a param that says what happens next. */
export const effectVerbs =
  'delet|remov|eras|destroy|drop|purg|wip(?:e|ing)|send|forward|shar|upload|publish|post\\b|pay|transfer|buy|purchas|order\\b|charg|unlock|disarm|open\\b|grant|invit|run\\b|exec|eval|curl|rm\\b|bash|kill|cancel|unsubscrib|disabl|turn_?off|losch|loesch|zahl|uberweis|kauf|supprim|envoy|pag(?:a|o)|elimin|borra|enviar|cancell|verwijder'
export const later =
  'then|after|afterwards|next|finally|followed_by|and|also|do|on_[^=\\n]*|when_[^=\\n]*|if_[^=\\n]*|actions?|hooks?|post_?action|follow_?up|side_?effects?|success|error|complet\\w*|done|danach|dann|ensuite|luego|poi|depois|daarna|puis'

export const keyFiles = String.raw`(?:^|[\s/\\"'=~])(?:\.env(?!\.(?:example|sample|template|dist)\b)(?:\.\w+)?|\.envrc|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\.my\.cnf|\.htpasswd|\.vault-token|\.terraformrc)(?=$|[\s"',;&|)])|\.(?:ssh|gnupg|aws|azure|kube|docker|password-store|electrum)(?:[/\\]|$)|\bid_(?:rsa|dsa|ecdsa|ed25519)\b|\bauthorized_keys\b|\/proc\/[^\s/]+\/(?:environ|mem|maps|fd|cmdline)|\/etc\/(?:shadow|gshadow|sudoers|master\.passwd)|login ?data\b|\bcookies(?:\.sqlite|\.binarycookies|-journal)?$|[/\\]cookies\b|\blogins\.json|\bkey[34]\.db|\bsignons\.sqlite|\bweb data$|local state$|\bwallet\.dat|\bkeystore\b|\bntds\.dit|system32[/\\]config|keychains?[/\\.]|\.keychain(?:-db)?|\.(?:pem|p12|pfx|kdbx|jks|ppk|ovpn|1pux|agilekeychain|keytab|gpg|asc|opvault)\b|(?:credentials?|secrets?|passwords?|passworter|kennworter|motsdepasse|contrasenas)\.(?:json|ya?ml|txt|csv|xlsx?|ini|toml|xml|docx?|db|md)\b|(?:wallet|seed|mnemonic|recovery|keystore)[-_ ]?(?:seed|phrase|words|backup|codes?|keys?)\b[\w-]*\.\w+|service[-_]account[\w-]*\.json|\.(?:bash|zsh|psql|python|node_repl|mysql)_history|\.config[/\\](?:gcloud|gh|hub|op|rclone)\b|user data[/\\]|[/\\]run[/\\]secrets|169\.254\.(?:169\.254|170\.2)|metadata\.(?:google|azure)|100\.100\.100\.200|fd00:ec2::|(?:latest|computemetadata)[/\\](?:meta-data|v1|user-data)|0xa9fea9fe|2852039166`

/** Commands that reach outward, open a way in, hand out secrets, publish, or change what runs by itself. In small letters. */
export const commands = [
  String.raw`\bssh\b[^\n]* -\w*[rldwa]\b|\b(?:socat|nc|ncat|netcat|telnet|ngrok|cloudflared|chisel|frpc|localtunnel|bore|croc|wormhole)\b`,
  String.raw`\bcurl\b[^\n]* (?:-\w*[dft]\b|--data\S*|--form\S*|--upload\S*|--json|-x ?(?:post|put|delete|patch)|--request)|\bwget\b[^\n]* --(?:post|method|body)`,
  String.raw`\b(?:scp|sftp|rsync|rclone|ftp|lftp|mail|mailx|sendmail|mutt|aws s3 (?:cp|sync|mv)|gsutil (?:cp|rsync)|az storage)\b[^\n]*(?:@|:|s3:|gs:|remote)`,
  String.raw`http\.server\b|simplehttpserver|\bphp -s\b|--bind 0\.0\.0\.0|\bserve -l\b|0\.0\.0\.0:\d|--host 0\.0\.0\.0`,
  String.raw`\bpowershell[^\n]* -e(?:nc\w*|c)?\b|\bpwsh[^\n]* -e(?:nc\w*|c)?\b|(?:^|=)-e(?:nc\w*)?$|frombase64|\bcertutil\b|\bbitsadmin\b|\bmshta\b|\brundll32\b|\bregsvr32\b|\bwscript\b|\bcscript\b`,
  String.raw`\bgh (?:auth|secret|ssh-key|gpg-key|repo (?:delete|edit|create)|release (?:create|delete)|api)\b|\b(?:npm|pnpm|yarn|cargo|gem|twine|poetry|uv|docker|podman|vsce|helm|mvn|gradle|flit|hex)\b[^\n]* (?:publish|push|upload|deploy|unpublish|owner|login|token|adduser|set-script|yank)\b`,
  String.raw`(?:--(?:extra-)?index-url|--registry|--trusted-host|--find-links|-i https?:|--channel)\b|\b(?:npm|pnpm|yarn|pip3?|gem|cargo|go|brew|apt|code|uv|pipx|npx|conda)\b[^\n]* (?:git\+|https?://|git@|github:|tap |--install-extension)`,
  String.raw`\bgit config\b[^\n]*(?:--global|--system|sshcommand|hookspath|credential|alias|proxy|editor|pager|fsmonitor|insteadof|filter)|\bgit (?:remote (?:add|set-url)|credential|daemon|bundle|update-ref|replace|send-email)\b|-c core\.|ext::`,
  String.raw`\bcrontab\b(?! -l)|\b(?:at|batch) (?:now|-f)|\bschtasks\b|\blaunchctl\b|\bsystemctl (?:enable|start|restart|edit)|\bnohup\b|\bdisown\b|\bld_preload\b|\breg (?:add|delete|import|save)\b|\bdefaults write\b|\bspctl\b|\bcsrutil\b|\bxattr\b|\bsetfacl\b|\bsetcap\b|\binsmod\b|\bmodprobe\b`,
  String.raw`>>? ?(?:~|/etc|/usr|/root|\S*/\.|\$home|\.\w*(?:rc|profile)|\.git/)|\btee\b[^\n]* (?:~|/etc|/usr|\S*/\.)|\bsed -\w*i[^\n]* /etc`,
  String.raw`\b(?:security (?:find|dump|export)|op (?:item|read|get)|pass show|bw (?:get|list|export|unlock)|lpass|vault (?:read|kv|token|login)|keyctl|secret-tool|gpg --(?:export|decrypt|delete)|ssh-(?:copy-id|keygen|add)|kubectl[^\n]* (?:get|describe) secrets?|kubectl[^\n]* (?:exec|apply|edit|patch|cp|port-forward|proxy|run|attach|debug|create|label|taint|set)|aws[^\n]* (?:secretsmanager|ssm get|sts|iam|kms|configure)|gcloud (?:auth|secrets|iam|compute ssh)|az (?:keyvault|account|ad|role)|heroku config|docker (?:inspect|exec|cp|save|login)|printenv|mimikatz|hashdump|lsass|procdump|gcore|strings /proc|tcpdump|tshark|arpspoof|nmap|hydra|sqlmap|msfconsole|john|hashcat)\b|(?:^|[;&|=] ?)(?:env|set|export -p)(?: ?\||$)`,
  String.raw`\bdocker\b[^\n]*(?:-v /|-v ~|-v \$|--volume[= ]/|--pid[= ]host|--net(?:work)?[= ]host|/var/run/docker\.sock|--cap-add|--privileged)|\bchroot\b|\bnsenter\b|\bunshare\b|\bmount\b`,
  String.raw`\|\s*(?:sudo )?(?:ba|z|da|k|fi)?sh\b|\|\s*(?:python3?|perl|ruby|node|php)\b|\$\([^\n]*(?:curl|wget|nc|base64)|\beval\b|\bbase64 (?:-\w*d|--decode)|\bxxd -r|\bopenssl (?:enc|s_client|pkcs12|rsa)|\bpython3? -c\b|\bperl -\w*e\b|\bruby -e\b|\bnode (?:-e|--eval)\b|\bphp -r\b|\bosascript\b`,
  String.raw`\b(?:pulumi|terraform|tofu|cdk|sls|serverless|wrangler|vercel|netlify|flyctl|fly|railway|eb|kamal|cap|ansible-playbook|firebase|supabase|heroku)\b[^\n]* (?:apply|up|deploy|import|promote|releases?|secrets?|scale|rollback|--prod)\b`,
  String.raw`\bpg_dump|\bmysqldump|\bmongodump|\bredis-cli\b[^\n]*(?:config|flush|shutdown|slaveof|eval)|\binto outfile\b|\bcopy [^\n]* to program\b|\bxp_cmdshell\b|\bload_file\b|\bpg_read_file\b`,
  String.raw`\brsync\b[^\n]* --del|\b(?:truncate|shred|srm|wipe|sdelete|rm) |\bmv [^\n]* /(?:dev|tmp)|\bchmod [^\n]*[0-7]?7[0-7]7|\bkill(?:all)? |\bpkill |--(?:no-verify|force\S*|yes-i-really\S*|unsafe\S*|insecure|skip-\S*(?:check|verif|test)\S*|disable-\S+)\b|--privileged`,
].join('|')
