// Starts, reads, lists and commands onboarding workflows.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { begin, onboardingStart } from '../../delivery/starts.js';
import { firstDifference } from '../../domain/commands/differences.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import { stepsOf } from '../../domain/onboarding/steps.js';
import {
  commandOnboarding,
  getOnboarding,
  onboardingWorkflowId,
} from '../../workflows/onboarding/contract.js';
import type {
  CommandRequest,
  OnboardingEnd,
  OnboardingInput,
  OnboardingView,
} from '../../workflows/onboarding/contract.js';
import { ApiError, found } from '../http/problems/errors.js';
import type { RowsRequest } from '../../records/lists.js';
import { oneAtATime } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { assertRepeat, commanding } from './temporal/commands.js';
import type { Ended } from './temporal/commands.js';
import { withKey } from './temporal/key-binding.js';
import type { ListPage } from './records.js';

export interface OnboardingsGateway {
  /** Starts an onboarding, or returns it for a repeat. Refuses a different request with the same id or key. */
  start: (request: Omit<OnboardingInput, 'carried'>, use: KeyUse | undefined) => Promise<OnboardingView>;
  view: (id: string) => Promise<OnboardingView | undefined>;
  list: (request: RowsRequest) => Promise<ListPage<OnboardingView>>;
  /** Sends a command. A repeat changes nothing. */
  command: (id: string, request: CommandRequest) => Promise<void>;
}

export function createOnboardingsGateway(calls: Calls): OnboardingsGateway {
  const ofWorkflow = oneAtATime((id) =>
    calls.read(
      onboardingWorkflowId(id),
      getOnboarding,
      ({ carried, ...left }: OnboardingEnd): OnboardingView => left,
    ),
  );
  const view: OnboardingsGateway['view'] = (id) =>
    calls.recorded.view({ resource: 'onboarding', uid: id, workflowId: onboardingWorkflowId(id) }, () =>
      ofWorkflow(id),
    );
  const command = commanding(calls, {
    workflowId: onboardingWorkflowId,
    what: 'an onboarding',
    otherwise: 'onboarding_over',
  });
  return {
    view,
    list: (request) => calls.recorded.list('onboarding', request),
    start: (request, use) =>
      withKey(calls, use, 'onboarding', async () => {
        try {
          await startNew(calls, request);
        } catch (error) {
          if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
        }
        return sameOrRefused(found(await view(request.id), 'an onboarding'), request);
      }),
    command: async (id, request) => {
      const ended = await command(id, commandOnboarding.name, request, (handle, as) =>
        handle.executeUpdate(commandOnboarding, { args: [request], ...as }),
      );
      if (ended !== undefined) await assertAccepted(calls, ended, request);
    },
  };
}

async function startNew(calls: Calls, request: Omit<OnboardingInput, 'carried'>): Promise<void> {
  const [step = 'agreement'] = stepsOf(request.parts);
  await calls.short(() => begin(calls, onboardingStart(request, step, new Date())));
}

/** @throws ApiError `idempotency_conflict` */
function sameOrRefused(
  view: OnboardingView,
  { id, connectionId, requested }: Omit<OnboardingInput, 'carried'>,
): OnboardingView {
  const isElsewhere = view.connectionId !== connectionId;
  const pointer = isElsewhere ? '/connection' : firstDifference(requested, view.requested);
  if (pointer === undefined) return view;
  const detail = 'expected the value of the first request with this id';
  throw new ApiError('idempotency_conflict', `Onboarding ${id} already exists with different values.`, {
    errors: [{ pointer: pointer === '' ? '/id' : pointer, detail }],
  });
}

/** @throws ApiError `onboarding_over`, or `idempotency_conflict` if another command used the key. */
async function assertAccepted(calls: Calls, ended: Ended, { use }: CommandRequest): Promise<void> {
  await assertRepeat(calls, onboardingWorkflowId(ended.uid), ended, use, over);
}

const over = (): ApiError =>
  new ApiError('onboarding_over', 'This onboarding has ended and accepts no more commands.');
