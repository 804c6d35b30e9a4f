// Settings that are valid and still dangerous: unencrypted connections, and published, guessable or shared secrets. Only
// `INSECURE_SANDBOX=on` allows them.

/** Lists are separated by commas. */
const URLS: ReadonlySet<string> = new Set([
  ...['PAYMENTS_API_URL', 'PAYMENTS_AUTH_URL', 'OAUTH_REDIRECT_URI', 'AUDIT_WEBHOOK_URL', 'RETURN_URLS'],
  ...['TEMPORAL_UI_URL', 'CODEC_URL', 'CODEC_ORIGINS'],
]);
const DATABASES: ReadonlySet<string> = new Set([
  ...['RECORDS_URL', 'RECORDS_LISTEN_URL', 'RECORDS_ADMIN_URL', 'RECORDS_EXPIRY_URL', 'RECORDS_AUDIT_URL'],
]);
/** No key may be in two of these. The order decides which one is named. */
const KEYRINGS = ['ENCRYPTION_KEYS', 'TOKEN_KEYS', 'SESSION_KEYS'] as const;
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

type Given = Readonly<Record<string, string>>;
type UnsafeSetting = [name: string, expected: string];

/**
 * @param names the variables that the process reads.
 * @param temporal where Temporal is, and whether the connection to it is encrypted.
 * @returns each dangerous variable with what was expected.
 */
export function unsafeIn(
  names: readonly string[],
  given: Given,
  temporal: { address: string; isEncrypted: boolean } | undefined,
): UnsafeSetting[] {
  const inOne = names.flatMap((name): UnsafeSetting[] => {
    const problem = problemOf(name, given);
    return problem === undefined ? [] : [[name, problem]];
  });
  const isOpen =
    temporal !== undefined && !temporal.isEncrypted && !mayBePlaintext(hostIn(temporal.address), given);
  return [...inOne, ...keysInTwo(given), ...(isOpen ? [PLAINTEXT_TEMPORAL] : [])];
}

const PLAINTEXT_TEMPORAL: UnsafeSetting = [
  'TEMPORAL_ADDRESS',
  'expected TLS to another host: set TEMPORAL_TLS=true, or name the host in ALLOW_PLAINTEXT_TO if only your private network leads to it',
];

/** Whether a text contains a secret that is published for the sandbox. The case of a hash does not matter. */
export const hasPublishedSecret = (text: string): boolean =>
  PUBLISHED.some((published) => text.toLowerCase().includes(published.toLowerCase()));

export const PUBLISHED_REFUSED = 'expected a secret of your own; this one is published for the sandbox';

function problemOf(name: string, given: Given): string | undefined {
  const value = given[name] ?? '';
  const parts = partsOf(value);
  if (URLS.has(name) && !parts.every(isProtected))
    return 'expected https, because plain http is only for this machine (localhost, 127.0.0.1 or [::1])';
  if (DATABASES.has(name) && isOpenDatabase(value, given))
    return 'expected sslmode=verify-full to another host, or the host in ALLOW_PLAINTEXT_TO if only your private network leads to it';
  if (hasPublishedSecret(value)) return PUBLISHED_REFUSED;
  if (SHARED.has(name) && parts.some(({ length }) => length < LEAST_CHARACTERS))
    return `expected at least ${LEAST_CHARACTERS} characters for each secret`;
  if (KEYRINGS.some((keyring) => keyring === name))
    return parts.map(keyProblem).find((problem) => problem !== undefined);
  return undefined;
}

const partsOf = (value = ''): string[] => value.split(',').flatMap((part) => part.trim() || []);

function isProtected(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { protocol, hostname } = new URL(url);
  return protocol !== 'http:' || isLocal(hostname);
}

function isOpenDatabase(url: string, given: Given): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, searchParams } = new URL(url);
  return searchParams.get('sslmode') === 'disable' && !mayBePlaintext(hostname, given);
}

const isLocal = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);

const mayBePlaintext = (host: string, given: Given): boolean =>
  isLocal(host) || partsOf(given['ALLOW_PLAINTEXT_TO']).includes(host);

/** The host of `host`, `host:port` or `[address]:port`. */
const hostIn = (address: string): string => address.replace(/^([^:]+|\[.*\]):\d*$/, '$1');

/** A process that has one key would open what only the other one may open. Names of keys do not matter. */
function keysInTwo(given: Given): UnsafeSetting[] {
  return KEYRINGS.flatMap((name, index) => {
    const before = KEYRINGS.slice(0, index).find((other) =>
      keyBytesIn(given[name]).some((bytes) => keyBytesIn(given[other]).includes(bytes)),
    );
    const problem = `expected no key of ${String(before)}; npm run -s keys makes one`;
    return before === undefined ? [] : [[name, problem] satisfies UnsafeSetting];
  });
}

const keyBytesIn = (keyring: string | undefined): string[] =>
  partsOf(keyring).map((entry) => bytesOf(entry).toString('hex'));

const bytesOf = (entry: string): Buffer => Buffer.from(entry.slice(entry.indexOf(':') + 1), 'base64');

function keyProblem(entry: string): string | undefined {
  const bytes = bytesOf(entry);
  if (bytes.toString('latin1').startsWith(PUBLISHED_KEY))
    return 'expected keys of your own; these are published for the sandbox. npm run -s keys makes one';
  if (bytes.length > 0 && bytes.every((byte) => byte === bytes[0]))
    return 'expected random keys; npm run -s keys makes one';
  return undefined;
}
