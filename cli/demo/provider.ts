// The controls of the sandbox: payers, faults, the clock, and its records.
import { Anything, LedgerAnswer, ProviderState } from '../api/answers.schema.js';
import { callJson, type JsonCall } from '../api/http.js';

export interface PayerScript {
  simulate: 'debtor_accept' | 'ignore';
  /** Seconds until the payer acts. */
  delay?: number;
}

/** What becomes of a payment: one of these, or a failure code such as AM04. */
export type PaymentScript = 'auto_settle' | 'insufficient_funds' | 'requires_investigation' | (string & {});

export type PayerAction = 'accept' | 'decline' | 'suspend' | 'reactivate' | 'cancel';

export type Provider = ReturnType<typeof createProvider>;

/** @param signal aborts all pending calls. */
export function createProvider(url: string, signal: AbortSignal) {
  const act = async (path: string, call: JsonCall): Promise<void> =>
    void (await callJson(`${url}/_control${path}`, Anything, { ...call, signal }));
  return {
    /** Call it before the agreement exists. */
    scriptPayer: (agreementUid: string, script: PayerScript) =>
      act(`/payers/${agreementUid}`, { method: 'PUT', body: script }),
    /** Call it before the payment exists: it settles only after this many seconds. */
    delaySettlement: (uid: string, delay: number) =>
      act(`/payments-script/${uid}`, { method: 'PUT', body: { simulate: 'auto_settle', delay } }),
    /** For all future submissions of the payment, which may not exist yet. */
    scriptPayment: (uid: string, simulate: PaymentScript) =>
      act(`/payments-script/${uid}`, { method: 'PUT', body: { simulate } }),
    actAsPayer: (agreementUid: string, action: PayerAction) =>
      act(`/agreements/${agreementUid}/payer`, { method: 'POST', body: { action } }),
    /** Activates its PayTo service, as a person at the provider does. */
    activateClient: (id: string) =>
      act(`/clients/${id}/services`, { method: 'PUT', body: { service: 'payto', status: 'active' } }),
    /** All webhooks about the agreement or its payments will be lost. */
    loseWebhooks: (uid: string) =>
      act('/faults', { method: 'POST', body: { on: 'webhook', do: 'lose', resource_uid: uid } }),
    advance: (seconds: number) => act('/clock', { method: 'POST', body: { advance_seconds: seconds } }),
    /** Sets the clock, before the first agreement. */
    setClock: (now: string) => act('/clock', { method: 'PUT', body: { now } }),
    /** A stranger pays into a float account. @param text what the payer wrote. */
    payInto: (accountId: string, amount: number, text: string) =>
      act(`/float-accounts/${accountId}/credits`, {
        method: 'POST',
        body: { amount, debtor_name: 'A Stranger', payment_reference: text, payment_description: text },
      }),
    /** Deletes an entry, so that the balances of its account no longer follow. */
    loseEntry: (id: string) => act(`/float-entries/${id}`, { method: 'DELETE' }),
    omitFromReport: (uid: string) => act(`/settlement/${uid}`, { method: 'PUT', body: { omitted: true } }),
    clearFaults: () => act('/faults', { method: 'DELETE' }),
    state: () => callJson(`${url}/_control/state`, ProviderState, { signal }),
    ledger: async (since = 0) =>
      (await callJson(`${url}/_control/ledger?since=${since}`, LedgerAnswer, { signal })).data,
  };
}
