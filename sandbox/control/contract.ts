// What tests, the demo and the front page can do to the sandbox. The control routes are these functions over HTTP.
import type { ServiceAction } from '../agreements/life.js';
import type { PayerAction } from '../payer/actions.js';
import type { ActionScript } from '../store/action.schema.js';
import type { ServiceName, ServiceStatus } from '../store/client.schema.js';
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

/** Refusals are thrown as errors whose message says why: an unknown uid, a state that forbids the act. */
export interface Control {
  state(): ControlState;
  /** The entries after that number that fit the filter, oldest first; all of them without both. */
  ledger(since?: number, filter?: LedgerFilter): LedgerEntry[];
  /** Newest first, with what a fault did to each; forged ones too. */
  deliveries(): DeliveryInState[];
  /** Runs all that comes due, in time order, and waits for the webhooks that brings. Answers the new time. */
  advance(seconds: number): Promise<{ now: string }>;

  /** Before the agreement exists. Wins over the `sandbox` field of its request. */
  scriptPayer(agreementUid: string, script: ScriptPayer): void;
  /** For the next action of the initiator of that kind. Wins over the `sandbox` field of its request. */
  scriptAction(agreementUid: string, script: ActionScript): void;
  /** Before the payment exists, or for its retries once it has failed. Wins over the `sandbox` field. */
  scriptPayment(paymentUid: string, script: ScriptPayment): void;
  actAsPayer(agreementUid: string, action: PayerAction): void;
  /** What the provider, the scheme or the payer's bank does to an agreement by itself. */
  actAsService(agreementUid: string, action: ServiceAction): void;
  /** Ends a payment that is pending or under investigation. */
  resolvePayment(paymentUid: string, outcome: PaymentOutcome): void;
  setClientService(clientId: string, service: ServiceName, status: ServiceStatus): void;
  setMerchantCategory(clientId: string, code: string): void;
  patchFloatAccount(id: string, patch: PatchFloatAccount): void;

  addFault(rule: AddFault): { id: string };
  removeFault(id: string): void;
  clearFaults(): void;
  /** Which calls a share meets begins anew, as it does whenever it begins with this seed. */
  setSeed(seed: string): void;

  /** Of both: what is not named stays as it is. */
  setLimits(limits: SetLimits): void;
  setOrganisation(organisation: SetOrganisation): void;
  /** What the application is registered for; consents given before stay as they were. */
  setApplication(application: { scopes: string[] }): void;
  setOAuth(oauth: { grace_seconds: number }): void;
  setWebhookUrl(url: string): void;
  setWebhookSecret(secret: string): void;
  /** Sends what a fault holds back, and waits until nothing is on its way. */
  flushWebhooks(): Promise<void>;
  /** All grants without an id. */
  revokeGrants(grant?: string): void;
  /** Forgets everything, clock and ledger included; where webhooks go and the seed stay as they are. */
  reset(): void;
}
