// Creates the control API of one sandbox: the actions of all other parties, the faults and the settings.
import { scriptAction } from '../agreements/actions.js';
import { actAsService } from '../agreements/life.js';
import { findAgreement } from '../agreements/states.js';
import { setMerchantCategory, setService } from '../clients/services.js';
import type { Engine } from '../engine/parts.js';
import { receiveCredit } from '../float-accounts/incoming.js';
import { patchFloatAccount } from '../float-accounts/money.js';
import { refuse } from '../http/refusal.js';
import { actAsPayer } from '../payer/actions.js';
import { scriptPayment } from '../payments/acceptance.js';
import { resolvePayment } from '../payments/life.js';
import { Account, Limits } from '../store/account.schema.js';
import { seededFloatAccount } from '../store/float-account.schema.js';
import type { LedgerEntry } from '../store/ledger.schema.js';
import type { Control } from './contract.js';
import { type LedgerFilter, faultFrom, type AddFault } from './requests.schema.js';
import { deliveriesOf, stateOf } from './state.js';

export function isWanted(entry: LedgerEntry, { kind, operation, resource_uid: uid }: LedgerFilter): boolean {
  return (
    (kind === undefined || entry.kind === kind) &&
    (operation === undefined || ('operation' in entry && entry.operation === operation)) &&
    (uid === undefined || ('resource_uid' in entry && entry.resource_uid === uid))
  );
}

// The other parties: payer, provider and scheme. They act at once or by script.
type Scripts = Pick<Control, 'scriptPayer' | 'scriptAction' | 'scriptPayment'>;
type Acts = Pick<Control, 'actAsPayer' | 'actAsService' | 'resolvePayment'>;
type Records = Pick<
  Control,
  | 'setClientService'
  | 'setMerchantCategory'
  | 'patchFloatAccount'
  | 'addFloatAccount'
  | 'receiveCredit'
  | 'loseFloatEntry'
  | 'omitFromReport'
>;

export function otherSides(engine: Engine): Scripts & Acts & Records {
  return { ...scripts(engine), ...acts(engine), ...records(engine) };
}

function scripts(engine: Engine): Scripts {
  const { store } = engine;
  return {
    scriptPayer(agreementUid, { simulate, delay = 0 }) {
      if (store.agreements.has(agreementUid)) {
        throw refuse(409, 'Conflict', `Agreement ${agreementUid} already exists; act as its payer instead`);
      }
      store.payerScripts.set(agreementUid, { simulate, delay });
      store.touch();
    },
    scriptAction(agreementUid, script) {
      scriptAction(engine, agreementUid, script);
    },
    scriptPayment(paymentUid, { simulate, delay = 0 }) {
      scriptPayment(engine, paymentUid, { simulate, delay });
    },
  };
}

/** Each action first runs all due tasks, so that it sees the current state. */
function acts(engine: Engine): Acts {
  const { scheduler } = engine;
  return {
    actAsPayer(agreementUid, action) {
      scheduler.catchUp();
      actAsPayer(engine, findAgreement(engine, agreementUid), action);
    },
    actAsService(agreementUid, action) {
      scheduler.catchUp();
      actAsService(engine, findAgreement(engine, agreementUid), action);
    },
    resolvePayment(paymentUid, outcome) {
      scheduler.catchUp();
      resolvePayment(engine, paymentUid, outcome);
    },
  };
}

function records(engine: Engine): Records {
  const { scheduler } = engine;
  return {
    setClientService(clientId, service, status) {
      scheduler.catchUp();
      setService(engine, clientId, service, status);
    },
    setMerchantCategory(clientId, code) {
      scheduler.catchUp();
      setMerchantCategory(engine, clientId, code);
    },
    addFloatAccount(account) {
      engine.store.floatAccounts.set(account.id, { ...seededFloatAccount(), ...account });
      engine.store.touch();
    },
    receiveCredit(id, credit) {
      scheduler.catchUp();
      receiveCredit(engine, id, credit);
    },
    loseFloatEntry(id) {
      if (!engine.store.floatEntries.delete(id)) throw refuse(404, 'Not Found', `There is no entry ${id}`);
      engine.store.touch();
    },
    omitFromReport(uid, { omitted }) {
      const others = engine.store.unreported.filter((one) => one !== uid);
      engine.store.unreported = omitted ? [...others, uid] : others;
      engine.store.touch();
    },
    patchFloatAccount(id, patch) {
      scheduler.catchUp();
      patchFloatAccount(engine, id, patch);
    },
  };
}

type FaultControls = Pick<Control, 'addFault' | 'removeFault' | 'clearFaults' | 'setSeed'>;

export function faultControls(engine: Engine): FaultControls {
  const { faults } = engine;
  return {
    addFault(rule) {
      checkPlace(engine, rule);
      return { id: faults.add(faultFrom(rule)).id };
    },
    removeFault(id) {
      if (!faults.remove(id)) throw refuse(404, 'Not Found', `There is no fault ${id}; it may be used up`);
    },
    clearFaults: () => {
      faults.clear();
    },
    setSeed: (seed) => {
      faults.reseed(seed);
    },
  };
}

function checkPlace({ reads }: Engine, { on, do: action }: AddFault): void {
  if (action !== 'read_lag' || on === '*' || reads.has(on)) return;
  throw refuse(400, 'Invalid control request', `${action} applies only to reads, not to ${on}`);
}

type AccountControls = Pick<Control, 'setLimits' | 'setOrganisation' | 'setApplication' | 'setOAuth'>;
type ServerControls = Pick<Control, 'setWebhookUrl' | 'setWebhookSecret' | 'revokeGrants' | 'reset'>;

export function settingControls(engine: Engine): AccountControls & ServerControls {
  return { ...accountControls(engine), ...serverControls(engine) };
}

function accountControls({ store }: Engine): AccountControls {
  const change = (changes: object): void => {
    store.account = Account.parse({ ...store.account, ...changes });
    store.touch();
  };
  return {
    setLimits(limits) {
      change({ limits: Limits.parse({ ...store.account.limits, ...limits }) });
    },
    setOrganisation(organisation) {
      change(organisation);
    },
    setApplication({ scopes }) {
      change({ scopes: [...new Set(scopes)] });
    },
    setOAuth({ grace_seconds }) {
      change({ grace_seconds });
    },
  };
}

function serverControls({ store, settings, clock }: Engine): ServerControls {
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

export function createControl(engine: Engine): Control {
  const { scheduler, clock, ledger, webhooks } = engine;
  return {
    state: () => stateOf(engine),
    ledger: (since = 0, filter = {}) => ledger.since(since).filter((entry) => isWanted(entry, filter)),
    deliveries: () => deliveriesOf(engine),
    async advance(seconds) {
      await scheduler.advance(seconds * 1000);
      return { now: clock.iso() };
    },
    setClock(now) {
      if (engine.store.agreements.size > 0)
        throw refuse(409, 'Conflict', 'The clock can only be set before the first agreement');
      clock.release(Date.parse(now));
      engine.store.touch();
    },
    flushWebhooks: () => webhooks.flush(),
    ...otherSides(engine),
    ...faultControls(engine),
    ...settingControls(engine),
  };
}
