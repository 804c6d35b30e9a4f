// Whether the PayIDs of an agreement exist, which is asked before it is created: only a 200 permits going on (docs/provider.md#checks).
import { ApplicationFailure } from '@temporalio/common';
import { isAlias } from '../../domain/agreement/mandate.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import type { CallCode } from '../../domain/provider/call-codes.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';

/**
 * Resolves once the provider knows each of them. The names behind them are not kept.
 * @param payer who asks, and from where: the provider counts look-ups by it.
 * @throws PaymentsApiError where the provider refuses one: then nothing is created.
 * @throws ApplicationFailure `alias_unresolved` where it is not known: nothing has been created yet.
 */
export async function resolveAliases(
  payments: Pick<PaymentsApi, 'resolveAlias'>,
  { debtor, creditor }: Mandate,
  payer: Payer | undefined,
  call: Call,
): Promise<void> {
  for (const account of [debtor?.account_identifier, creditor?.account_identifier]) {
    if (account == null || payer === undefined || !isAlias(account)) continue;
    const requester = { id: payer.requester_id, remote_ip: payer.remote_ip };
    await payments.resolveAlias({ ...account, requester }, call).catch((error: unknown) => {
      throw notCreated(error);
    });
  }
}

/** What an outage of this look-up would mean of a creation: that it may have been made. It has not. */
function notCreated(error: unknown): unknown {
  if (!(error instanceof PaymentsApiError) || !IN_DOUBT.has(error.code)) return error;
  const { message, retryAfterMs, status } = error;
  return ApplicationFailure.create({
    type: 'alias_unresolved' satisfies CallCode,
    message,
    nonRetryable: true,
    details: [{ providerCodes: error.providerCodes, status, retryAfterMs, advice: error.advice }],
  });
}

const IN_DOUBT: ReadonlySet<string> = new Set(['unavailable', 'malformed', 'not_found', 'conflict']);
