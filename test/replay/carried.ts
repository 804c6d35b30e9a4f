import { z } from 'zod';
import { AGREEMENT_WORKFLOW } from '../../workflows/agreement/contract.js';
import { BATCH_WORKFLOW } from '../../workflows/batch/contract.js';
import { CLIENT_WORKFLOW } from '../../workflows/client/contract.js';
import { CONNECTION_WORKFLOW } from '../../workflows/connection/contract.js';
import { COUNTERPARTY_WORKFLOW } from '../../workflows/counterparty/contract.js';
import { ONBOARDING_WORKFLOW } from '../../workflows/onboarding/contract.js';
import { PAYMENT_WORKFLOW } from '../../workflows/payment/contract.js';
import { REFUND_WORKFLOW } from '../../workflows/refund/contract.js';
import { ROWS_WORKFLOW } from '../../workflows/rows/contract.js';
import { STOP_WORKFLOW } from '../../workflows/stop/contract.js';
import { published } from '../../workflows/stop/view.js';
import { inVirtualTime } from '../support/workflows/virtual.js';
import { batchIn, rowsIn } from '../support/workflows/virtual-batches.js';
import type { Carried, upgrade } from '../../workflows/entity/upgrade.js';
import type { State as AgreementState } from '../../workflows/agreement/state.js';
import type { State as BatchState } from '../../workflows/batch/state.js';
import type { State as ClientState } from '../../workflows/client/state.js';
import type { State as ConnectionState } from '../../workflows/connection/state.js';
import type { State as CounterpartyState } from '../../workflows/counterparty/state.js';
import type { State as OnboardingState } from '../../workflows/onboarding/state.js';
import type { State as PaymentState } from '../../workflows/payment/state.js';
import type { State as RefundState } from '../../workflows/refund/state.js';
import type { State as RowsState } from '../../workflows/rows/state.js';
import type { State as StopState } from '../../workflows/stop/state.js';
import type { Run } from './histories.js';

export interface CarriedOn {
  workflowId: string;
  workflow: string;
  carried: unknown;
}

const Payloads = z.object({ payloads: z.array(z.looseObject({ data: z.base64() })) });
const History = z.object({
  events: z.array(
    z.looseObject({
      workflowExecutionStartedEventAttributes: z
        .object({ workflowType: z.object({ name: z.string() }) })
        .optional(),
      workflowExecutionContinuedAsNewEventAttributes: z.object({ input: Payloads }).optional(),
      workflowExecutionCompletedEventAttributes: z.object({ result: Payloads.optional() }).optional(),
    }),
  ),
});
const Carrying = z.object({ carried: z.looseObject({ shape: z.int() }) });

export function carriedOn({ workflowId, history }: Run): CarriedOn | undefined {
  const { events } = History.parse(history);
  const last = events.at(-1);
  const left =
    last?.workflowExecutionContinuedAsNewEventAttributes?.input ??
    last?.workflowExecutionCompletedEventAttributes?.result;
  const [payload] = left?.payloads ?? [];
  if (payload === undefined) return undefined;
  const { data, success } = Carrying.safeParse(JSON.parse(Buffer.from(payload.data, 'base64').toString()));
  const workflow = events[0]?.workflowExecutionStartedEventAttributes?.workflowType.name ?? '';
  return success ? { workflowId, workflow, carried: data.carried } : undefined;
}

const OfAgreement = z.custom<Carried<AgreementState>>();
const OfConnection = z.custom<Carried<ConnectionState>>();
const OfPayment = z.custom<Carried<PaymentState>>();
const OfClient = z.custom<Carried<ClientState>>();
const OfCounterparty = z.custom<Carried<CounterpartyState>>();
const OfOnboarding = z.custom<Carried<OnboardingState>>();
const OfRefund = z.custom<Carried<RefundState>>();
const OfBatch = z.custom<Carried<BatchState>>();
const OfRows = z.custom<Carried<RowsState>>();
const OfStop = z.custom<Carried<StopState>>();

export async function begunWith({ workflow, carried }: CarriedOn, upgraded: typeof upgrade) {
  const scene = inVirtualTime({});
  switch (workflow) {
    case AGREEMENT_WORKFLOW: {
      const run = await scene.agreement({ carried: upgraded(OfAgreement.parse(carried)) });
      return { ...run.view(), timeline: run.timeline() };
    }
    case CONNECTION_WORKFLOW: {
      const run = await scene.connection(upgraded(OfConnection.parse(carried)));
      return { ...run.view(), access: run.access() };
    }
    case PAYMENT_WORKFLOW:
      return (await scene.payment({ carried: upgraded(OfPayment.parse(carried)) })).view();
    case CLIENT_WORKFLOW:
      return (await scene.client({ carried: upgraded(OfClient.parse(carried)) })).view();
    case COUNTERPARTY_WORKFLOW:
      return (await scene.counterparty({ carried: upgraded(OfCounterparty.parse(carried)) })).view();
    case ONBOARDING_WORKFLOW:
      return (await scene.onboarding({ carried: upgraded(OfOnboarding.parse(carried)) })).view();
    case REFUND_WORKFLOW:
      return (await scene.refund({ carried: upgraded(OfRefund.parse(carried)) })).view();
    case BATCH_WORKFLOW: {
      const state = upgraded(OfBatch.parse(carried));
      return (await batchIn(scene, { ...state, sizes: [] }, state)).view();
    }
    case ROWS_WORKFLOW: {
      const state = upgraded(OfRows.parse(carried));
      return { ...(await rowsIn(scene, state, state)).state() };
    }
    case STOP_WORKFLOW: {
      const state = upgraded(OfStop.parse(carried));
      return { ...published(state), awaiting: state.awaiting };
    }
    default:
      throw new Error(`expected to know how ${workflow} begins with what it carried`);
  }
}
