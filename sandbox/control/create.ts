// The control API of one sandbox, as functions: the actions of all other parties, the faults and the settings. Tests call them directly,
// the demo and the front page over HTTP.
import { scriptAction } from '../agreements/actions.js';
import { actAsService, type ServiceAction } from '../agreements/life.js';
import { findAgreement } from '../agreements/states.js';
import { setMerchantCategory, setService } from '../clients/services.js';
import type { Engine } from '../engine/parts.js';
import { receiveCredit, type ReceiveCredit } from '../float-accounts/incoming.js';
import { patchFloatAccount } from '../float-accounts/money.js';
import { refuse } from '../http/refusal.js';
import { actAsPayer, type PayerAction } from '../payer/actions.js';
import { scriptPayment } from '../payments/acceptance.js';
import { resolvePayment } from '../payments/life.js';
import { Account, Limits } from '../store/account.schema.js';
import type { ActionScript } from '../store/action.schema.js';
import type { ServiceName, ServiceStatus } from '../store/client.schema.js';
import { seededFloatAccount, type PatchFloatAccount } from '../store/float-account.schema.js';
import type { LedgerEntry } from '../store/ledger.schema.js';
import type { PaymentOutcome } from '../store/payment.schema.js';
import {
  faultFrom,
  type AddFault,
  type LedgerFilter,
  type ScriptPayer,
  type ScriptPayment,
  type SetLimits,
  type SetOrganisation,
} from './requests.schema.js';
import { deliveriesOf, stateOf } from './state.js';

/** A refused call throws an error whose message gives the reason, for example an unknown uid or a state that forbids the action. */
export type Control = ReturnType<typeof createControl>;

export const createControl = (engine: Engine) => ({
  ...recordsAndTime(engine),
  ...scripts(engine),
  ...acts(engine),
  ...accounts(engine),
  ...faultControls(engine),
  ...accountControls(engine),
  ...serverControls(engine),
});

function recordsAndTime(engine: Engine) {
  const { scheduler, clock, ledger, store } = engine;
  return {
    state: () => stateOf(engine),
    /** The entries after `since` that match the filter, oldest first. Without arguments, all entries. */
    ledger: (since = 0, filter: LedgerFilter = {}): LedgerEntry[] =>
      ledger.since(since).filter((entry) => isWanted(entry, filter)),
    /** Newest first, each with the fault that affected it. Includes forged ones. */
    deliveries: () => deliveriesOf(engine),
    /** Advances the clock, runs due tasks in time order, and waits for their webhooks. Returns the new time. */
    async advance(seconds: number): Promise<{ now: string }> {
      await scheduler.advance(seconds * 1000);
      return { now: clock.iso() };
    },
    /** Sets the clock, also backwards. Only before the first agreement. */
    setClock(now: string): void {
      if (store.agreements.size > 0)
        throw refuse(409, 'Conflict', 'The clock can only be set before the first agreement');
      clock.release(Date.parse(now));
      store.touch();
    },
  };
}

function isWanted(entry: LedgerEntry, { kind, operation, resource_uid: uid }: LedgerFilter): boolean {
  return (
    (kind === undefined || entry.kind === kind) &&
    (operation === undefined || ('operation' in entry && entry.operation === operation)) &&
    (uid === undefined || ('resource_uid' in entry && entry.resource_uid === uid))
  );
}

/** The scripts of the other parties: payer, provider and scheme. They override the `sandbox` field of a request. */
function scripts(engine: Engine) {
  const { store } = engine;
  return {
    /** Scripts the payer's answer to an agreement that does not exist yet. */
    scriptPayer(agreementUid: string, { simulate, delay = 0 }: ScriptPayer): void {
      if (store.agreements.has(agreementUid)) {
        throw refuse(409, 'Conflict', `Agreement ${agreementUid} already exists; act as its payer instead`);
      }
      store.payerScripts.set(agreementUid, { simulate, delay });
      store.touch();
    },
    /** Scripts the initiator's next action of this kind. */
    scriptAction(agreementUid: string, script: ActionScript): void {
      scriptAction(engine, agreementUid, script);
    },
    /** Scripts a payment that does not exist yet, or the retries of a failed one. */
    scriptPayment(paymentUid: string, { simulate, delay = 0 }: ScriptPayment): void {
      scriptPayment(engine, paymentUid, { simulate, delay });
    },
  };
}

/** The immediate actions of the other parties. Each first runs all due tasks, so that it sees the current state. */
function acts(engine: Engine) {
  const { scheduler } = engine;
  return {
    actAsPayer(agreementUid: string, action: PayerAction): void {
      scheduler.catchUp();
      actAsPayer(engine, findAgreement(engine, agreementUid), action);
    },
    /** Acts as the provider, the scheme or the payer's bank. */
    actAsService(agreementUid: string, action: ServiceAction): void {
      scheduler.catchUp();
      actAsService(engine, findAgreement(engine, agreementUid), action);
    },
    /** Settles or fails a payment that is pending or under investigation. */
    resolvePayment(paymentUid: string, outcome: PaymentOutcome): void {
      scheduler.catchUp();
      resolvePayment(engine, paymentUid, outcome);
    },
    setClientService(clientId: string, service: ServiceName, status: ServiceStatus): void {
      scheduler.catchUp();
      setService(engine, clientId, service, status);
    },
    setMerchantCategory(clientId: string, code: string): void {
      scheduler.catchUp();
      setMerchantCategory(engine, clientId, code);
    },
    patchFloatAccount(id: string, patch: PatchFloatAccount): void {
      scheduler.catchUp();
      patchFloatAccount(engine, id, patch);
    },
    /** A stranger pays into a float account. */
    receiveCredit(id: string, credit: ReceiveCredit): void {
      scheduler.catchUp();
      receiveCredit(engine, id, credit);
    },
  };
}

function accounts({ store }: Engine) {
  return {
    /** Opens another float account with this id and number, at the branch of the first one. */
    addFloatAccount(account: { id: string; account_number: string }): void {
      store.floatAccounts.set(account.id, { ...seededFloatAccount(), ...account });
      store.touch();
    },
    /** Deletes an entry and leaves the balances, so that the entries no longer follow each other. */
    loseFloatEntry(id: string): void {
      if (!store.floatEntries.delete(id)) throw refuse(404, 'Not Found', `There is no entry ${id}`);
      store.touch();
    },
    /** Leaves a payment or refund out of the settlement report, or includes it again. */
    omitFromReport(uid: string, { omitted }: { omitted: boolean }): void {
      const others = store.unreported.filter((one) => one !== uid);
      store.unreported = omitted ? [...others, uid] : others;
      store.touch();
    },
  };
}

function faultControls({ faults, reads }: Engine) {
  return {
    addFault(rule: AddFault): { id: string } {
      if (rule.do === 'read_lag' && rule.on !== '*' && !reads.has(rule.on))
        throw refuse(400, 'Invalid control request', `${rule.do} applies only to reads, not to ${rule.on}`);
      return { id: faults.add(faultFrom(rule)).id };
    },
    removeFault(id: string): void {
      if (!faults.remove(id)) throw refuse(404, 'Not Found', `There is no fault ${id}; it may be used up`);
    },
    clearFaults: (): void => {
      faults.clear();
    },
    /** Sets the seed and restarts the random draws. The same seed and rules always affect the same calls. */
    setSeed: (seed: string): void => {
      faults.reseed(seed);
    },
  };
}

function accountControls({ store }: Engine) {
  const change = (changes: object): void => {
    store.account = Account.parse({ ...store.account, ...changes });
    store.touch();
  };
  return {
    /** Omitted limits do not change. */
    setLimits(limits: SetLimits): void {
      change({ limits: Limits.parse({ ...store.account.limits, ...limits }) });
    },
    /** Omitted fields do not change. */
    setOrganisation: (organisation: SetOrganisation): void => {
      change(organisation);
    },
    /** Sets the registered scopes of the application. Earlier consents do not change. */
    setApplication({ scopes }: { scopes: string[] }): void {
      change({ scopes: [...new Set(scopes)] });
    },
    /** Sets for how long a used refresh token returns the same token pair again. */
    setOAuth: (oauth: { grace_seconds: number }): void => {
      change(oauth);
    },
  };
}

function serverControls({ store, settings, clock, webhooks }: Engine) {
  return {
    setWebhookUrl(url: string): void {
      settings.webhookUrl = url;
    },
    setWebhookSecret(secret: string): void {
      settings.webhookSecret = secret;
    },
    /** Sends all webhooks that faults withhold, and waits until none is in flight. */
    flushWebhooks: (): Promise<void> => webhooks.flush(),
    /** Sends all webhooks again that got no answer, without waiting for their next attempt. */
    retryWebhooks: (): Promise<void> => webhooks.retryNow(),
    /** Revokes one grant, or all of them without an id. */
    revokeGrants(id?: string): void {
      const meant = [...store.grants.values()].filter((grant) => id === undefined || grant.id === id);
      if (id !== undefined && meant.length === 0) throw refuse(404, 'Not Found', `There is no grant ${id}`);
      for (const grant of meant) grant.revoked = true;
      store.touch();
    },
    /** Deletes all data, including the clock and the ledger. Keeps the seed and the webhook URL and secret. */
    reset(): void {
      store.clear();
      clock.release(Date.now());
    },
  };
}
