// Starts, reads, lists and commands onboarding workflows.
import { onboardingStart } from '../../delivery/starts.js';
import { firstDifference } from '../../domain/commands/differences.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import { stepsOf } from '../../domain/onboarding/steps.js';
import {
  commandOnboarding,
  getOnboarding,
  type CommandRequest,
  type OnboardingInput,
  type OnboardingView,
} from '../../workflows/onboarding/contract.js';
import { requestedByCaller, type Caller } from '../http/caller.js';
import { found } from '../http/problems/errors.js';
import { readsOf, sameOrRefused, type ResourceReads } from './resource.js';
import type { Calls } from './temporal/calls.js';
import { commandsOf } from './temporal/commands.js';
import { withKey } from './temporal/key-binding.js';
import { startFirst } from './temporal/start.js';

type Requested = Omit<OnboardingInput, 'carried'>;

interface OnboardingsGateway extends ResourceReads<OnboardingView> {
  /** Starts an onboarding, or returns it for a repeat. Refuses a different request with the same id or key. */
  start: (request: Requested, use: KeyUse | undefined, caller: Caller) => Promise<OnboardingView>;
  /** Sends a command. A repeat changes nothing. */
  command: (id: string, request: CommandRequest) => Promise<void>;
}

export function createOnboardingsGateway(calls: Calls): OnboardingsGateway {
  const { view, list } = readsOf(calls, 'onboarding', getOnboarding);
  const { once, assertRepeat } = commandsOf(calls, 'onboarding');
  return {
    view,
    list,
    start: (request, use, caller) =>
      withKey(calls, use, 'onboarding', async () => {
        const { row } = await calls.recorded.before({ resource: 'onboarding', uid: request.id });
        const [step = 'agreement'] = stepsOf(request.parts);
        if (row === undefined) await startFirst(calls, onboardingStart(request, step, new Date()));
        return asRequested(found(await view(request.id), 'an onboarding'), request, caller);
      }),
    command: async (id, request) =>
      assertRepeat(await once(id, commandOnboarding, request, request.use), request.use),
  };
}

/** @throws ApiError `idempotency_conflict` */
function asRequested(
  view: OnboardingView,
  { id, connectionId, requested }: Requested,
  caller: Caller,
): OnboardingView {
  requestedByCaller(view, caller, '/id');
  const isElsewhere = view.connectionId !== connectionId;
  const pointer = isElsewhere ? '/connection' : firstDifference(requested, view.requested);
  return sameOrRefused(view, pointer, `Onboarding ${id}`, 'id');
}
