#!/bin/sh
# Writes the secrets of the compose files into the folder "secrets" beside this file, or into the folder that the argument names. Keeps those
# that are there. Only root can enter the folder. The files are readable for the users in the containers, which see only their own ones.
set -eu
folder=${1:-$(dirname "$0")/secrets}
umask 077
mkdir -p "$folder"
cd "$folder"

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
# write <file> <content>: the name appears when the content is complete.
write() {
  [ -e "$1" ] && return
  printf '%s' "$2" > ".$1.new"
  chmod 444 ".$1.new"
  mv ".$1.new" "$1"
  echo "$folder/$1"
}

write beak_secret "$(random)"
write postgres_password "$(random)"
write owner_password "$(random)"
write service_password "$(random)"
write owner_database_url "postgresql://beak_owner:$(cat owner_password)@postgres/beak"
write database_url "postgresql://beak_service:$(cat service_password)@postgres/beak"
[ -e smtp_url ] || echo "Still missing: $folder/smtp_url, with the URL of your mail server: smtps://user:password@mail.example:465"
