// The controls of the sandbox: payers, faults, the clock, and its records.
import {
  Anything,
  LedgerAnswer,
  ProviderState,
  type LedgerEntry,
  type ProviderState as State,
} from '../api/answers.schema.js';
import { callJson, type JsonCall } from '../api/http.js';

export interface PayerScript {
  simulate: 'debtor_accept' | 'ignore';
  /** Seconds until the payer acts. */
  delay?: number;
}

export interface Provider {
  /** Call it before the agreement exists. */
  scriptPayer(agreementUid: string, script: PayerScript): Promise<void>;
  /** Call it before the payment exists: it settles only after this many seconds. */
  delaySettlement(paymentUid: string, seconds: number): Promise<void>;
  /** For all future submissions of the payment, which may not exist yet. */
  scriptPayment(paymentUid: string, simulate: 'auto_settle' | 'insufficient_funds'): Promise<void>;
  actAsPayer(agreementUid: string, action: 'accept' | 'suspend' | 'reactivate' | 'cancel'): Promise<void>;
  /** Activates its PayTo service, as a person at the provider does. */
  activateClient(clientId: string): Promise<void>;
  /** All webhooks about the agreement or its payments will be lost. */
  loseWebhooks(agreementUid: string): Promise<void>;
  advance(seconds: number): Promise<void>;
  /** Sets the clock, before the first agreement. */
  setClock(now: string): Promise<void>;
  /** A stranger pays into a float account. @param text what the payer wrote. */
  payInto(accountId: string, amount: number, text: string): Promise<void>;
  /** Deletes an entry, so that the balances of its account no longer follow. */
  loseEntry(id: string): Promise<void>;
  omitFromReport(uid: string): Promise<void>;
  clearFaults(): Promise<void>;
  state(): Promise<State>;
  ledger(since?: number): Promise<LedgerEntry[]>;
}

/** @param signal aborts all pending calls. */
export function createProvider(url: string, signal: AbortSignal): Provider {
  const act = async (path: string, call: JsonCall): Promise<void> =>
    void (await callJson(`${url}/_control${path}`, Anything, { ...call, signal }));
  return {
    scriptPayer: (uid, script) => act(`/payers/${uid}`, { method: 'PUT', body: script }),
    delaySettlement: (uid, delay) =>
      act(`/payments-script/${uid}`, { method: 'PUT', body: { simulate: 'auto_settle', delay } }),
    scriptPayment: (uid, simulate) => act(`/payments-script/${uid}`, { method: 'PUT', body: { simulate } }),
    actAsPayer: (uid, action) => act(`/agreements/${uid}/payer`, { method: 'POST', body: { action } }),
    activateClient: (id) =>
      act(`/clients/${id}/services`, { method: 'PUT', body: { service: 'payto', status: 'active' } }),
    loseWebhooks: (uid) =>
      act('/faults', { method: 'POST', body: { on: 'webhook', do: 'lose', resource_uid: uid } }),
    advance: (seconds) => act('/clock', { method: 'POST', body: { advance_seconds: seconds } }),
    setClock: (now) => act('/clock', { method: 'PUT', body: { now } }),
    payInto: (id, amount, text) =>
      act(`/float-accounts/${id}/credits`, {
        method: 'POST',
        body: { amount, debtor_name: 'A Stranger', payment_reference: text, payment_description: text },
      }),
    loseEntry: (id) => act(`/float-entries/${id}`, { method: 'DELETE' }),
    omitFromReport: (uid) => act(`/settlement/${uid}`, { method: 'PUT', body: { omitted: true } }),
    clearFaults: () => act('/faults', { method: 'DELETE' }),
    state: () => callJson(`${url}/_control/state`, ProviderState, { signal }),
    ledger: async (since = 0) =>
      (await callJson(`${url}/_control/ledger?since=${since}`, LedgerAnswer, { signal })).data,
  };
}
