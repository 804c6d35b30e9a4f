// What an onboarding asks of one part. Types alone.
import type { Reading } from '../../domain/onboarding/reading.js';
import type { AgreementInput, PaymentRequest } from '../../workflows/agreement/contract.js';
import type { ClientInput } from '../../workflows/client/contract.js';
import type { CounterpartyInput } from '../../workflows/counterparty/contract.js';

/** A part, with all that it takes to start it. A client without an input has to exist. */
export type PartRequest = { uid: string; /** The workflow that waits for it. */ reportTo: string } & (
  | {
      part: 'client';
      input?: ClientInput | undefined;
      /** Another registers the same business under this uid: only who it is has to be the same. */
      isShared?: true | undefined;
    }
  | { part: 'counterparty'; input: CounterpartyInput }
  | {
      part: 'agreement';
      input: AgreementInput & { connectionId: string };
      /** Its client is judged again before it is sent. */
      checksInitiator: boolean;
    }
  | { part: 'payment'; request: PaymentRequest }
);

export interface PartOutcome {
  /** Of the client that registers the same business. */
  uid?: string;
  /** Absent where it reports. */
  reading?: Reading;
}
