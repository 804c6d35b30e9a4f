// Settings that are valid and still dangerous: plain http, published or guessable secrets. Only `INSECURE_SANDBOX=on` allows them.

/** Lists are separated by commas. */
const URLS: ReadonlySet<string> = new Set([
  ...['PAYMENTS_API_URL', 'PAYMENTS_AUTH_URL', 'OAUTH_REDIRECT_URI', 'AUDIT_WEBHOOK_URL', 'RETURN_URLS'],
  ...['TEMPORAL_UI_URL', 'CODEC_URL', 'CODEC_ORIGINS'],
]);
const KEYRINGS: ReadonlySet<string> = new Set(['ENCRYPTION_KEYS', 'TOKEN_KEYS', 'SESSION_KEYS']);
const SHARED: ReadonlySet<string> = new Set(['WEBHOOK_SECRETS', 'OAUTH_CLIENT_SECRET']);
const LEAST_CHARACTERS = 16;

/** Of docker/sandbox.env and of the sandbox's defaults. The keys there start with `not secret:`. */
const PUBLISHED = [
  'sandbox-webhook-secret',
  'sandbox-client-secret',
  'db6bcf6a2a36ee93dafa7dfcdc40973da39f2e2843e4c6f76e08aefc767b0caa',
  'BNgPAVinGC7X3hZ9hmjyyo5Wua5m1pzjmU/DSfc0MRnsWteMh3RDNFeoYOtsNEwak1+FlB+sUdic01BYISNKeMQ=',
  ':sandbox@',
] as const;
const PUBLISHED_KEY = 'not secret:';

/** @param names the variables that the process reads. @returns each dangerous variable with what was expected. */
export function unsafeIn(
  names: readonly string[],
  given: Readonly<Record<string, string>>,
): [name: string, expected: string][] {
  return names.flatMap((name): [string, string][] => {
    const problem = problemOf(name, given[name] ?? '');
    return problem === undefined ? [] : [[name, problem]];
  });
}

function problemOf(name: string, value: string): string | undefined {
  const parts = value.split(',').flatMap((part) => part.trim() || []);
  if (URLS.has(name) && !parts.every(isProtected))
    return 'expected https, because plain http is only for this machine (localhost, 127.0.0.1 or [::1])';
  if (PUBLISHED.some((published) => value.includes(published)))
    return 'expected a secret of your own; this one is published for the sandbox';
  if (SHARED.has(name) && parts.some(({ length }) => length < LEAST_CHARACTERS))
    return `expected at least ${LEAST_CHARACTERS} characters for each secret`;
  if (KEYRINGS.has(name)) return parts.map(keyProblem).find((problem) => problem !== undefined);
  return undefined;
}

function isProtected(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { protocol, hostname } = new URL(url);
  return protocol !== 'http:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

function keyProblem(entry: string): string | undefined {
  const bytes = Buffer.from(entry.slice(entry.indexOf(':') + 1), 'base64');
  if (bytes.toString('latin1').startsWith(PUBLISHED_KEY))
    return 'expected keys of your own; these are published for the sandbox. npm run -s keys makes one';
  if (bytes.length > 0 && bytes.every((byte) => byte === bytes[0]))
    return 'expected random keys; npm run -s keys makes one';
  return undefined;
}
