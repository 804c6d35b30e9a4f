// The sandbox's own side of things: how its payers act, what goes wrong, what time it is, and what it has on record.
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
  /** Seconds until the payer does so. */
  delay?: number;
}

export interface Provider {
  /** Before the agreement exists. */
  scriptPayer(agreementUid: string, script: PayerScript): Promise<void>;
  /** Before the payment exists: it settles only after so many seconds. */
  delaySettlement(paymentUid: string, seconds: number): Promise<void>;
  /** Of all submissions to come of the payment, which may not exist yet. */
  scriptPayment(paymentUid: string, simulate: 'auto_settle' | 'insufficient_funds'): Promise<void>;
  actAsPayer(agreementUid: string, action: 'accept' | 'suspend' | 'reactivate' | 'cancel'): Promise<void>;
  /** Decides on its PayTo service, as a person at the provider does. */
  activateClient(clientId: string): Promise<void>;
  /** No webhook about the agreement or its payments will arrive. */
  loseWebhooks(agreementUid: string): Promise<void>;
  advance(seconds: number): Promise<void>;
  state(): Promise<State>;
  ledger(since?: number): Promise<LedgerEntry[]>;
}

/** @param signal ends every call that is under way. */
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
    state: () => callJson(`${url}/_control/state`, ProviderState, { signal }),
    ledger: async (since = 0) =>
      (await callJson(`${url}/_control/ledger?since=${since}`, LedgerAnswer, { signal })).data,
  };
}
