// The request of an onboarding for one part (types only).
import type { Reading } from '../../domain/onboarding/reading.js';
import type { AgreementInput, PaymentRequest } from '../../workflows/agreement/contract.js';
import type { ClientInput } from '../../workflows/client/contract.js';
import type { CounterpartyInput } from '../../workflows/counterparty/contract.js';

/** A part, with everything that is needed to start it. A client without an input must already exist. */
export type PartRequest = {
  uid: string;
  /** Id of the workflow that waits for the part. */
  reportTo: string;
} & (
  | {
      part: 'client';
      input?: ClientInput | undefined;
      /** Another request registers the same business under this uid, so only legal name and parent must match. */
      isShared?: true | undefined;
    }
  | { part: 'counterparty'; input: CounterpartyInput }
  | {
      part: 'agreement';
      input: AgreementInput & { connectionId: string };
      /** Check its client again before the agreement is created. */
      checksInitiator: boolean;
    }
  | { part: 'payment'; request: PaymentRequest }
);

export interface PartOutcome {
  /** The uid of the client that already registers the same business. */
  uid?: string;
  /** Absent if the part sends reports. */
  reading?: Reading;
}
