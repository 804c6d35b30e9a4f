// What tests, the demo and the front page can do to the sandbox. The control routes are these functions over HTTP.
import type { Engine } from '../engine.js';
import type { PayerScript } from '../agreements/agreement.schema.js';
import type { PaymentScript } from '../payments/payment.schema.js';
import { findAgreement } from '../agreements/find-agreement.js';
import { formatAgreement } from '../agreements/format-agreement.js';
import { formatPayment } from '../payments/format-payment.js';
import type { Fault } from '../faults/fault.schema.js';
import type { Grant } from '../oauth/oauth.schema.js';
import type { LedgerEntry } from '../ledger.schema.js';
import { actAsPayer, type PayerAction } from '../agreements/payer.js';
import { refuse } from '../http/refusal.js';
import { CURRENT_VERSION } from '../http/version.js';
import { faultFrom, type AddFault, type ScriptPayer, type ScriptPayment } from './requests.schema.js';

export interface ControlState {
  now: string;
  agreements: (ReturnType<typeof formatAgreement> & { script: PayerScript })[];
  payments: (ReturnType<typeof formatPayment> & { script: PaymentScript })[];
  grants: Grant[];
  faults: Fault[];
  webhook: { url: string; queued: number; deliveries: number };
}

/** Refusals are thrown as errors whose message says why: an unknown uid, a state that forbids the act. */
export interface Control {
  state(): ControlState;
  /** The entries after that number, oldest first; all of them without one. */
  ledger(since?: number): LedgerEntry[];
  /** Runs all that comes due, in time order, and waits for the webhooks that brings. Answers the new time. */
  advance(seconds: number): Promise<{ now: string }>;
  /** Before the agreement exists. Wins over the `sandbox` field of its request. */
  scriptPayer(agreementUid: string, script: ScriptPayer): void;
  /** Before the payment exists. Wins over the `sandbox` field of its request. */
  scriptPayment(paymentUid: string, script: ScriptPayment): void;
  actAsPayer(agreementUid: string, action: PayerAction): void;
  addFault(rule: AddFault): { id: string };
  removeFault(id: string): void;
  clearFaults(): void;
  setWebhookUrl(url: string): void;
  setWebhookSecret(secret: string): void;
  /** Sends what a delay or a reordering holds back, and waits until nothing is on its way. */
  flushWebhooks(): Promise<void>;
  /** All grants without an id. */
  revokeGrants(grant?: string): void;
  /** Forgets everything, clock and ledger included; where webhooks go stays as it is. */
  reset(): void;
}

export function createControl(engine: Engine): Control {
  const { scheduler, clock, ledger, webhooks } = engine;
  return {
    state: () => stateOf(engine),
    ledger: (since = 0) => ledger.since(since),
    async advance(seconds) {
      await scheduler.advance(seconds * 1000);
      return { now: clock.iso() };
    },
    actAsPayer(agreementUid, action) {
      scheduler.catchUp();
      actAsPayer(engine, findAgreement(engine, agreementUid), action);
    },
    flushWebhooks: () => webhooks.flush(),
    ...scripts(engine),
    ...faultControls(engine),
    ...settingControls(engine),
  };
}

function scripts({ store }: Engine): Pick<Control, 'scriptPayer' | 'scriptPayment'> {
  return {
    scriptPayer(agreementUid, { simulate, delay = 0 }) {
      if (store.agreements.has(agreementUid)) {
        throw refuse(409, 'Too late', `Agreement ${agreementUid} exists already; act as its payer instead`);
      }
      store.payerScripts.set(agreementUid, { simulate, delay });
      store.touch();
    },
    scriptPayment(paymentUid, { simulate, delay = 0 }) {
      if (store.payments.has(paymentUid)) {
        throw refuse(409, 'Too late', `Payment ${paymentUid} exists already`);
      }
      store.paymentScripts.set(paymentUid, { simulate, delay });
      store.touch();
    },
  };
}

function faultControls({ faults }: Engine): Pick<Control, 'addFault' | 'removeFault' | 'clearFaults'> {
  return {
    addFault: (rule) => ({ id: faults.add(faultFrom(rule)).id }),
    removeFault(id) {
      if (!faults.remove(id)) throw refuse(404, 'Not Found', `There is no fault ${id}; it may be used up`);
    },
    clearFaults: () => {
      faults.clear();
    },
  };
}

function settingControls({
  store,
  settings,
  clock,
}: Engine): Pick<Control, 'setWebhookUrl' | 'setWebhookSecret' | 'revokeGrants' | 'reset'> {
  return {
    setWebhookUrl(url) {
      settings.webhookUrl = url;
    },
    setWebhookSecret(secret) {
      settings.webhookSecret = secret;
    },
    revokeGrants(id) {
      const meant = [...store.grants.values()].filter((grant) => id === undefined || grant.id === id);
      if (id !== undefined && meant.length === 0) throw refuse(404, 'Not Found', `There is no grant ${id}`);
      for (const grant of meant) grant.revoked = true;
      store.touch();
    },
    reset() {
      store.clear();
      clock.release(Date.now());
    },
  };
}

function stateOf({ store, clock, settings, scheduler }: Engine): ControlState {
  scheduler.catchUp();
  const { baseUrl, webhookUrl } = settings;
  const deliveries = [...store.deliveries.values()];
  const isUnderWay = ({ state }: { state: string }): boolean =>
    ['queued', 'held', 'retrying'].includes(state);
  return {
    now: clock.iso(),
    agreements: [...store.agreements.values()].map((agreement) => ({
      ...formatAgreement(agreement, baseUrl, CURRENT_VERSION),
      script: agreement.script,
    })),
    payments: [...store.payments.values()].map((payment) => ({
      ...formatPayment(payment, baseUrl),
      script: payment.script,
    })),
    grants: [...store.grants.values()],
    faults: [...store.faults],
    webhook: { url: webhookUrl, queued: deliveries.filter(isUnderWay).length, deliveries: deliveries.length },
  };
}
