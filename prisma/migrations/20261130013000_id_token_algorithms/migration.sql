-- Sites choose between RS256 and EdDSA for their ID tokens.
ALTER TABLE "OAuthKey" ADD COLUMN "alg" TEXT NOT NULL DEFAULT 'RS256';
ALTER TABLE "Site" ADD COLUMN "idTokenAlg" TEXT NOT NULL DEFAULT 'RS256';
