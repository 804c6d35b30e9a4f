// A client: its steps and their rules, its messages, and what it records.
import {
  CLIENT_LIFECYCLE,
  isClientFinal,
  isDecidedService,
  type ClientSnapshot,
} from '../../domain/client/lifecycle.js';
import { readClient, type Reading } from '../../domain/onboarding/reading.js';
import { refusalIn } from '../engine/call-failure.js';
import { listChanges } from '../engine/changes.js';
import { unblock, updateState } from '../engine/handlers.js';
import { rule, type StepRules } from '../engine/step.js';
import { blockedForGood, blockAfterFailure, stopped } from '../resource/blocked.js';
import {
  applyFetched,
  dueLookUp,
  isOver as isOverOf,
  type Followed,
  type WatchedChange,
} from '../resource/definition.js';
import { carrying, lookUpValidator, recordOfResource, type ResourceWorkflow } from '../resource/kit.js';
import { requestLookUp } from '../resource/others.js';
import { reportRule } from '../resource/report-rule.js';
import { addReporter, reportSteps, type ReportStep } from '../resource/reports.js';
import { followRules, pollRule, resolveStep, type FollowStep } from '../resource/rules.js';
import { LAST_DOUBT } from '../resource/judge-snapshot.js';
import { foldedOf, refOf } from '../resource/state.js';
import {
  sendRules,
  sendStep,
  waitRules,
  waitStep,
  type SendStep,
  type WaitStep,
} from '../resource/submission/rules.js';
import { isUidOfAnother } from '../resource/submission/state.js';
import { validateChange, validateDecision } from './commands.js';
import { lostClient } from './lost.js';
import * as states from './state.js';
import { published, viewOf } from './view.js';
import type { ClientChanges } from '../../domain/client/request.schema.js';
import type { Fetched } from '../../domain/facts/snapshot.js';
import type { ClientInput, ClientView, messages } from './contract.js';
import type { ClientState } from './state.js';

type ClientStep =
  | WaitStep
  | SendStep
  | FollowStep
  | ReportStep
  | { do: 'search' }
  | { do: 'change'; key: string; changes: ClientChanges }
  | ({ do: 'await_service' } & WatchedChange)
  | ({ do: 'keep_watch' } & WatchedChange);

interface ClientTypes {
  state: ClientState;
  snapshot: ClientSnapshot;
  step: ClientStep;
  input: ClientInput;
  view: ClientView;
  messages: typeof messages;
}

const KIND: Followed<ClientTypes> = {
  noun: 'client',
  lifecycle: CLIENT_LIFECYCLE,
  isFinal: isClientFinal,
  hasHistory: false,
  submit: (call, state) => call.createClient({ ...refOf(state), order: state.order }),
  find: (call, of, { order }) => call.findClient({ ...of, order }),
  lookUp: (call, of) => call.lookUpClient(of),
  watch: (call, watched) => call.watchClient(watched),
  differences: states.differencesIn,
  handleDifferences: states.parkCandidates,
  applyRefusal: states.applyRefusal,
  applySnapshot: states.applySnapshot,
  // The provider publishes no events about clients, so its newest answer counts at once, in either direction.
  apply: (state, fetched, requested) =>
    applyFetched(KIND, isUidOfAnother(state) ? state : { ...state, doubts: LAST_DOUBT }, fetched, requested),
};

const readingOf = (state: ClientState): Reading => readClient(viewOf(state));
const reportsDue = (state: ClientState): ReportStep[] => reportSteps(state, 'client', readingOf);

const isOver = (state: ClientState): boolean => isOverOf(KIND, state) && reportsDue(state).length === 0;

const desiredSteps = (state: ClientState): ClientStep[] =>
  isOverOf(KIND, state) ? reportsDue(state) : [nextStep(state), ...reportsDue(state)];

function nextStep(state: ClientState): ClientStep {
  const first = waitStep(state) ?? sendStep(state) ?? resolveStep(state);
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

const RULES: StepRules<ClientState, ClientStep> = {
  ...waitRules<ClientState>(),
  ...sendRules<ClientTypes>(KIND),
  ...followRules(KIND),
  search: rule<ClientState, ClientStep, Fetched<ClientSnapshot> | null>({
    lane: 'learn',
    awaiting: 'look-up',
    run: (_step, read, { call }) => KIND.find(call, refOf(read()), read()),
    done: (state, found) => (found === null ? { ...state, isSearched: true } : KIND.apply(state, found)),
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
  await_service: pollRule(KIND, 'service'),
  keep_watch: pollRule(KIND, 'nothing'),
};

export const CLIENT: ResourceWorkflow<ClientTypes> = {
  rules: RULES,
  desiredSteps,
  isOver,
  publish: published,
  record: recordOfResource('client', CLIENT_LIFECYCLE, {
    viewOf,
    ownChanges: (before: ClientState | undefined, after: ClientState) =>
      listChanges(before?.changes, after.changes, (change) => ({
        kind: 'command',
        name: `change_${change.stage}`,
        data: change,
      })),
  }),
  handlers: {
    connectionRestored: updateState(unblock),
    reportTo: updateState(addReporter),
    lookUpNow: { validate: lookUpValidator('client'), ...updateState(requestLookUp<ClientState>) },
    resolveAttention: { validate: validateDecision, ...updateState(states.resolveFlag) },
    changeClient: { validate: validateChange, ...updateState(states.applyChange) },
    view: { read: viewOf },
  },
  begin: states.newClient,
  lost: lostClient,
  viewOf,
  toCarry: carrying(CLIENT_LIFECYCLE),
  insteadOfCancelling: 'Only the provider can suspend or off-board a client: contact its support.',
};
