// What an approval about a connection covers: the accounts that consented until now, and the expected one. A later consent needs another approval.
import { found } from '../../http/problems/errors.js';
import { CONSENT_STRIDE } from '../../../domain/connection/generation.js';
import type { ApiDependencies } from '../../http/dependencies.js';

/** @throws ApiError `not_found` */
export async function accountsOf(
  { temporal }: Pick<ApiDependencies, 'temporal'>,
  id: string,
): Promise<unknown> {
  const view = found(await temporal.connections.view(id), 'a connection');
  const { createdAt, generation, account, expectedAccount, unconfirmed } = view;
  // Refreshes stay within the stride of their consent.
  const consent = Math.floor(generation / CONSENT_STRIDE);
  return [createdAt, consent, account?.id, expectedAccount, unconfirmed?.since, unconfirmed?.account];
}
