// Whether a PayID exists, and the name behind it. The provider demands it before an agreement is created (docs/provider.md#checks).
import { shortened } from '../../domain/facts/retention.js';
import { writeFailure } from '../failure.js';
import type { AccountIdentifier } from '../../domain/agreement/mandate.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import type { Dependencies } from '../dependencies.js';

export interface ResolveAliasArgs {
  connectionId: string;
  account: AccountIdentifier;
  /** Who asks, and from where: the provider counts look-ups by it. */
  payer: Payer;
}

export function resolveAliasActivity({
  payments,
  withAccess,
}: Pick<Dependencies, 'payments' | 'withAccess'>) {
  /** May be repeated. A refusal is final, a daily limit included: the workflow decides what follows. */
  return async function resolveAlias({ connectionId, account, payer }: ResolveAliasArgs) {
    const requester = { id: payer.requester_id, remote_ip: payer.remote_ip };
    try {
      const { display_name: name } = await withAccess(connectionId, (call) =>
        payments.resolveAlias({ ...account, requester }, call),
      );
      return { name: typeof name === 'string' ? shortened(name) : null };
    } catch (error) {
      throw writeFailure(error);
    }
  };
}
