// The address of the records database, from RECORDS_URL and RECORDS_ADMIN_URL.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { secretOf, type Secret } from '../sealing/secret.js';

export interface RecordsSettings {
  host: string;
  port: number;
  user: string;
  password: Secret;
  database: string;
  /** False: not encrypted. Otherwise the server's certificate is verified, against the system's authorities or this one. */
  tls: false | { ca: string | undefined };
}

const A_URL = 'expected postgres://user:password@host:port/database';
const VERIFIED =
  'expected sslmode=verify-full (the default), which verifies the certificate, or sslmode=disable to this machine or a host of ALLOW_PLAINTEXT_TO';
const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const POSTGRES_PORT = 5432;

/** The URL contains a password, so no error quotes it. */
export const recordsUrl = z.string({ error: A_URL }).transform(settingsIn);

function settingsIn(text: string, context: z.RefinementCtx<string>): RecordsSettings {
  const refuse = (message: string): never => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const database = url?.pathname.slice(1) ?? '';
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol) || url.username === '' || database === '')
    return refuse(A_URL);
  const mode = url.searchParams.get('sslmode') ?? (LOCAL.has(url.hostname) ? 'disable' : 'verify-full');
  if (mode !== 'disable' && mode !== 'verify-full') return refuse(VERIFIED);
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'sslmode' && name !== 'sslrootcert');
  if (unknown !== undefined) return refuse('expected no parameters except sslmode and sslrootcert');
  const ca = certificateIn(url.searchParams.get('sslrootcert'));
  if (ca === 'unreadable') return refuse('expected sslrootcert to name a readable file');
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? POSTGRES_PORT : Number(url.port),
    user: decodeURIComponent(url.username),
    password: secretOf(decodeURIComponent(url.password)),
    database: decodeURIComponent(database),
    tls: mode === 'disable' ? false : { ca },
  };
}

function certificateIn(path: string | null): string | undefined {
  if (path === null) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return 'unreadable';
  }
}
