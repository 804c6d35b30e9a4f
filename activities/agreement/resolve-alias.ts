// Checks that a PayID exists and returns the name behind it. The provider requires this before an agreement is created (docs/provider.md#checks).
import { shortened } from '../../domain/facts/retention.js';
import { writeFailure } from '../failure.js';
import type { AccountIdentifier } from '../../domain/agreement/mandate.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import type { Dependencies } from '../dependencies.js';

export interface ResolveAliasArgs {
  connectionId: string;
  account: AccountIdentifier;
  /** The person who makes the request, and their IP address. The provider limits look-ups per requester. */
  payer: Payer;
}

export function resolveAliasActivity({
  payments,
  withAccess,
}: Pick<Dependencies, 'payments' | 'withAccess'>) {
  /** Safe to repeat. A refusal is final, even one for a daily limit: the workflow decides what to do next. */
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
