import { readFile } from 'node:fs/promises';

// prettier-ignore
const TEMPORAL_VARIABLES = [
  'ADDRESS', 'NAMESPACE', 'API_KEY', 'CONFIG_FILE', 'PROFILE', 'TLS', 'TLS_CLIENT_CERT_DATA', 'TLS_CLIENT_CERT_PATH',
  'TLS_CLIENT_KEY_DATA', 'TLS_CLIENT_KEY_PATH', 'TLS_SERVER_CA_CERT_DATA', 'TLS_SERVER_CA_CERT_PATH', 'TLS_SERVER_NAME',
].map((name) => `TEMPORAL_${name}`);

export async function variablesReadBy(room: string): Promise<Set<string>> {
  const textOf = (file: string) => readFile(new URL(`../../${room}/${file}`, import.meta.url), 'utf8');
  const own = await textOf('config.ts');
  const shared = own.includes('HIGH_RISK_VARIABLES')
    ? await textOf('../domain/client/high-risk.schema.ts')
    : '';
  const config = own + shared + (await textOf('../settings/forms.ts'));
  const names = [...config.matchAll(/\b(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|DOCS)\b/g)].map(([name]) => name);
  const isTemporals = own.includes('settings/read.js');
  return new Set([...names, ...(isTemporals ? TEMPORAL_VARIABLES : [])]);
}
