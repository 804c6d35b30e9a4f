// The desired steps of a client, and the rule of each: its call, and how success and failure change the state.
import { CLIENT_LIFECYCLE, isClientFinal, isDecidedService } from '../../domain/client/lifecycle.js';
import { blockedForGood, blockAfterFailure } from '../resource/blocked.js';
import { refusalIn } from '../engine/call-failure.js';
import {
  dueLookUp,
  nextResourceStep,
  isOver as isOverOf,
  refOf,
  applyFetched,
} from '../resource/definition.js';
import { resourceRules, stopped, watchRule } from '../resource/rules.js';
import { reportRule } from '../resource/report-rule.js';
import { reportSteps } from '../resource/reports.js';
import { foldedOf } from '../resource/state.js';
import { rule } from '../engine/step.js';
import * as states from './state.js';
import { readClient } from '../../domain/onboarding/reading.js';
import { published, viewOf } from './view.js';
import { CLIENT_RECORD } from './records.js';
import type { ClientLifecycleState } from '../../domain/client/lifecycle.js';
import type { ClientChanges } from '../../domain/client/request.schema.js';
import type { Fetched } from '../../domain/facts/snapshot.js';
import type { ClientSnapshot } from '../../domain/client/lifecycle.js';
import type { ResourceStep, ResourceDefinition, WatchedChange } from '../resource/definition.js';
import type { EntityDefinition } from '../engine/reconcile.js';
import type { Reading } from '../../domain/onboarding/reading.js';
import type { ReportStep } from '../resource/reports.js';
import type { StepRules } from '../engine/step.js';
import type { ClientState } from './state.js';

export type ClientStep =
  | ResourceStep
  | ReportStep
  | { do: 'search' }
  | { do: 'change'; key: string; changes: ClientChanges }
  | ({ do: 'await_service' } & WatchedChange)
  | ({ do: 'keep_watch' } & WatchedChange);

const KIND: ResourceDefinition<ClientLifecycleState, ClientState, ClientSnapshot> = {
  noun: 'client',
  lifecycle: CLIENT_LIFECYCLE,
  hasHistory: false,
  submit: (call, state) => call.createClient({ ...refOf(state), order: state.order }),
  find: (call, of, { order }) => call.findClient({ ...of, order }),
  lookUp: (call, of) => call.lookUpClient(of),
  watch: (call, watched) => call.watchClient(watched),
  adopt: () => Promise.reject(new Error('a client cannot be adopted by uid, because no event names one')),
  differences: states.differencesIn,
  handleDifferences: states.parkCandidates,
  isFinal: isClientFinal,
  recordRefusal: states.recordRefusal,
  applySnapshot: states.applySnapshot,
};

const readingOf = (state: ClientState): Reading => readClient(viewOf(state));
const reportsDue = (state: ClientState): ReportStep[] => reportSteps(state, 'client', readingOf);

const isOver = (state: ClientState): boolean => isOverOf(KIND, state) && reportsDue(state).length === 0;

const desiredSteps = (state: ClientState): ClientStep[] =>
  isOverOf(KIND, state) ? reportsDue(state) : [nextStep(state), ...reportsDue(state)];

function nextStep(state: ClientState): ClientStep {
  const first = nextResourceStep(state);
  // The provider itself would accept a second client of the same business.
  if (first?.do === 'submit' && state.isSearched !== true) return { do: 'search' };
  if (first !== undefined) return first;
  const change = states.changeDue(state);
  if (change !== undefined) return { do: 'change', key: change.key, changes: change.changes };
  return dueLookUp(CLIENT_LIFECYCLE, state) ?? watchOf(state);
}

/** No event reports changes of a service, so it is polled: often until it is decided, then once a day. */
function watchOf(state: ClientState): ClientStep {
  const snapshotState = state.snapshotState ?? foldedOf(CLIENT_LIFECYCLE, state).state;
  if (isDecidedService(snapshotState)) return { do: 'keep_watch', pollIntervals: 'standing', snapshotState };
  // A service that was never requested is not awaited. The provider may show a new request late.
  const isAwaited = snapshotState !== 'not_configured';
  return { do: isAwaited ? 'await_service' : 'keep_watch', pollIntervals: 'service', snapshotState };
}

export const STEPS: StepRules<ClientState, ClientStep> = {
  ...resourceRules(KIND),
  search: rule<ClientState, ClientStep, Fetched<ClientSnapshot> | null>({
    lane: 'learn',
    awaiting: 'look-up',
    run: (_step, read, { call }) => KIND.find(call, refOf(read()), read()),
    done: (state, found) =>
      found === null ? { ...state, isSearched: true } : applyFetched(KIND, state, found),
    failed: stopped,
  }),
  change: rule<ClientState, Extract<ClientStep, { do: 'change' }>, void>({
    lane: 'command',
    awaiting: 'provider-acceptance',
    uninterruptible: true,
    run: ({ changes }, read, { call }) => call.changeClient({ ...refOf(read()), changes }),
    done: (state, _taken, { now }) => states.markChangeEnded(state, now, { stage: 'accepted' }),
    failed: (state, failure, { now }) => {
      if (failure.code === 'rejected')
        return states.markChangeEnded(state, now, { stage: 'refused', failure: refusalIn(failure) });
      return blockAfterFailure(state, failure, now) ?? { ...state, blocked: blockedForGood(failure, now) };
    },
  }),
  report_on: reportRule<ClientState>('client', readingOf),
  await_service: watchRule(KIND, 'service', { asksAtOnce: true }),
  keep_watch: watchRule(KIND, 'nothing', { asksAtOnce: true }),
};

export const CLIENT: EntityDefinition<ClientState, ClientStep> = {
  rules: STEPS,
  desiredSteps,
  record: CLIENT_RECORD,
  isOver,
  publish: published,
};
