// What an approval about a connection covers: the accounts that consented until now. A later consent needs another approval.
import { found } from '../../http/problems/errors.js';
import type { ApiDependencies } from '../../http/dependencies.js';

/** @throws ApiError `not_found` */
export async function accountsOf(
  { temporal }: Pick<ApiDependencies, 'temporal'>,
  id: string,
): Promise<unknown> {
  const { createdAt, account, unconfirmed } = found(await temporal.connections.view(id), 'a connection');
  return [createdAt, account?.id, unconfirmed?.since, unconfirmed?.account];
}
