// The control API of the sandbox, as functions. Tests call them directly, the demo and the front page over HTTP.
import type { ServiceAction } from '../agreements/life.js';
import type { PayerAction } from '../payer/actions.js';
import type { ActionScript } from '../store/action.schema.js';
import type { ServiceName, ServiceStatus } from '../store/client.schema.js';
import type { ReceiveCredit } from '../float-accounts/incoming.js';
import type { PatchFloatAccount } from '../store/float-account.schema.js';
import type { LedgerEntry } from '../store/ledger.schema.js';
import type { PaymentOutcome } from '../store/payment.schema.js';
import type {
  AddFault,
  LedgerFilter,
  ScriptPayer,
  ScriptPayment,
  SetLimits,
  SetOrganisation,
} from './requests.schema.js';
import type { ControlState, DeliveryInState } from './state.js';

export type { ControlState } from './state.js';

/** A refused call throws an error whose message gives the reason, for example an unknown uid or a state that forbids the action. */
export interface Control {
  state(): ControlState;
  /** The entries after `since` that match the filter, oldest first. Without arguments, all entries. */
  ledger(since?: number, filter?: LedgerFilter): LedgerEntry[];
  /** Newest first, each with the fault that affected it. Includes forged ones. */
  deliveries(): DeliveryInState[];
  /** Advances the clock, runs due tasks in time order, and waits for their webhooks. Returns the new time. */
  advance(seconds: number): Promise<{ now: string }>;
  /** Sets the clock, also backwards. Only before the first agreement. */
  setClock(now: string): void;

  /** Scripts the payer's answer to an agreement that does not exist yet. Overrides the `sandbox` field of its request. */
  scriptPayer(agreementUid: string, script: ScriptPayer): void;
  /** Scripts the initiator's next action of this kind. Overrides the `sandbox` field of its request. */
  scriptAction(agreementUid: string, script: ActionScript): void;
  /** Scripts a payment that does not exist yet, or the retries of a failed one. Overrides the `sandbox` field. */
  scriptPayment(paymentUid: string, script: ScriptPayment): void;
  actAsPayer(agreementUid: string, action: PayerAction): void;
  /** Acts as the provider, the scheme or the payer's bank. */
  actAsService(agreementUid: string, action: ServiceAction): void;
  /** Settles or fails a payment that is pending or under investigation. */
  resolvePayment(paymentUid: string, outcome: PaymentOutcome): void;
  setClientService(clientId: string, service: ServiceName, status: ServiceStatus): void;
  setMerchantCategory(clientId: string, code: string): void;
  patchFloatAccount(id: string, patch: PatchFloatAccount): void;
  /** Opens another float account with this id and number, at the branch of the first one. */
  addFloatAccount(account: { id: string; account_number: string }): void;
  /** A stranger pays into a float account. */
  receiveCredit(id: string, credit: ReceiveCredit): void;
  /** Deletes an entry and leaves the balances, so that the entries no longer follow each other. */
  loseFloatEntry(id: string): void;
  /** Leaves a payment or refund out of the settlement report, or includes it again. */
  omitFromReport(uid: string, settlement: { omitted: boolean }): void;

  addFault(rule: AddFault): { id: string };
  removeFault(id: string): void;
  clearFaults(): void;
  /** Sets the seed and restarts the random draws. The same seed and rules always affect the same calls. */
  setSeed(seed: string): void;

  /** `setLimits` and `setOrganisation` leave omitted fields unchanged. */
  setLimits(limits: SetLimits): void;
  setOrganisation(organisation: SetOrganisation): void;
  /** Sets the registered scopes of the application. Earlier consents do not change. */
  setApplication(application: { scopes: string[] }): void;
  /** Sets for how long a used refresh token returns the same token pair again. */
  setOAuth(oauth: { grace_seconds: number }): void;
  setWebhookUrl(url: string): void;
  setWebhookSecret(secret: string): void;
  /** Sends all webhooks that faults withhold, and waits until none is in flight. */
  flushWebhooks(): Promise<void>;
  /** Revokes one grant, or all of them without an id. */
  revokeGrants(grant?: string): void;
  /** Deletes all data, including the clock and the ledger. Keeps the seed and the webhook URL and secret. */
  reset(): void;
}
