// Which secret proves a webhook: those of the application, or those of the connection in its path.
import { createVerifier, type Verify, type VerifierOptions } from '../payments-api/webhook.js';
import { linesIn } from './http/watched-file.js';
import type { VerifyWebhook } from './http/dependencies.js';

interface Verifiers {
  /** Absent if all secrets are those of connections. */
  application: Verify | undefined;
  ofConnections: ReadonlyMap<string, Verify>;
}

const APPLICATION = '*';
const LEAST_CHARACTERS = 16;

/**
 * Reads WEBHOOK_SECRETS_FILE: `connection:secret` in each line, or `*:secret` for the application. Several secrets of one connection are
 * for a rotation.
 * @param scheme with the secrets of the application from elsewhere.
 * @throws Error that names the line, never its secret.
 */
export function parseWebhookSecrets(text: string, scheme: VerifierOptions): Verifiers {
  const secrets = new Map<string, string[]>();
  for (const [index, line] of linesIn(text).entries()) {
    const [, connection, secret] = /^(\*|[\w~.-]{1,64}):(\S+)$/.exec(line) ?? [];
    if (connection === undefined || secret === undefined)
      throw new Error(`expected connection:secret or *:secret in entry ${index + 1}`);
    if (secret.length < LEAST_CHARACTERS)
      throw new Error(
        `expected at least ${LEAST_CHARACTERS} characters for the secret of entry ${index + 1}`,
      );
    secrets.set(connection, [...(secrets.get(connection) ?? []), secret]);
  }
  const application = [...scheme.secrets, ...(secrets.get(APPLICATION) ?? [])];
  secrets.delete(APPLICATION);
  return {
    application:
      application.length === 0
        ? undefined
        : verifierOf('the application', { ...scheme, secrets: application }),
    ofConnections: new Map(
      [...secrets].map(([connection, own]) => [
        connection,
        verifierOf(connection, { ...scheme, secrets: own }),
      ]),
    ),
  };
}

function verifierOf(owner: string, options: VerifierOptions): Verify {
  try {
    return createVerifier(options);
  } catch {
    throw new Error(`expected secrets of ${owner} that the verifier ${options.verifier} can use`);
  }
}

/** A secret of a connection proves only webhooks to that connection’s own path, so the sender cannot choose another one. */
export const verifyWith =
  (current: () => Verifiers): VerifyWebhook =>
  (bytes, header, nowMs, connection) => {
    const { application, ofConnections } = current();
    const verdict = application?.(bytes, header, nowMs) ?? ({ ok: false, why: 'mismatch' } as const);
    const own = connection === undefined ? undefined : ofConnections.get(connection);
    if (verdict.ok || own === undefined) return verdict;
    const proven = own(bytes, header, nowMs);
    return proven.ok ? { ...proven, connection } : verdict;
  };
