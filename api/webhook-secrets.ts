// Which secret proves a webhook: those of the application, or those of the connection in its path.
import { createVerifier } from '../payments-api/webhook.js';
import type { Verify, VerifierOptions } from '../payments-api/webhook.js';
import { linesIn } from './http/watched-file.js';
import type { VerifyWebhook } from './http/dependencies.js';

type Verifiers = ReadonlyMap<string, Verify>;

/**
 * Reads WEBHOOK_SECRETS_FILE: `connection:secret` in each line, several for one connection during a rotation.
 * @throws Error that names the line, never its secret.
 */
export function parseWebhookSecrets(text: string, scheme: Omit<VerifierOptions, 'secrets'>): Verifiers {
  const secrets = new Map<string, string[]>();
  for (const [index, line] of linesIn(text).entries()) {
    const [, connection, secret] = /^([\w~.-]{1,64}):(\S+)$/.exec(line) ?? [];
    if (connection === undefined || secret === undefined)
      throw new Error(`expected connection:secret in entry ${index + 1}`);
    secrets.set(connection, [...(secrets.get(connection) ?? []), secret]);
  }
  return new Map(
    [...secrets].map(([connection, own]) => [
      connection,
      verifierOf(connection, { ...scheme, secrets: own }),
    ]),
  );
}

function verifierOf(connection: string, options: VerifierOptions): Verify {
  try {
    return createVerifier(options);
  } catch {
    throw new Error(`expected secrets of ${connection} that the verifier ${options.verifier} can use`);
  }
}

/** A secret of a connection proves only webhooks to that connection’s own path, so the sender cannot choose another one. */
export const verifyWith =
  (application: Verify, ofConnections: () => Verifiers): VerifyWebhook =>
  (bytes, header, nowMs, connection) => {
    const verdict = application(bytes, header, nowMs);
    const own = connection === undefined ? undefined : ofConnections().get(connection);
    if (verdict.ok || own === undefined) return verdict;
    const proven = own(bytes, header, nowMs);
    return proven.ok ? { ...proven, connection } : verdict;
  };
