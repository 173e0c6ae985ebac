/**
 * Whether a file is by its name one that holds secrets. What is in it and not committed is never read for a prediction:
 * it would come to lie in a second place, and be shown to another agent.
 */
export function isSecretName(path: string): boolean {
  const name = (path.split("/").at(-1) ?? "").toLowerCase();
  return SECRET.test(name) && !EXAMPLE.test(name);
}

const SECRET = new RegExp(
  [
    /^\.env(\..+)?$|\.env$/,
    /^\.(netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd|dockercfg|vault-token)$/,
    /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
    /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|age|tfstate|tfvars)$/,
    /^(credentials|client[_-]secret.*|service[_-]account.*)\.json$|^credentials$/,
    /^secrets?\.(json|ya?ml|toml|ini|env|txt)$/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
const EXAMPLE = /[._-](example|sample|template|dist|defaults?)\b/;
