import { randomUUID } from 'node:crypto';
import { AGREEMENT_LIFECYCLE } from '../../../domain/agreement/lifecycle.js';
import { inOrder, type Fact, type Instant } from '../../../domain/facts/fact.js';
import { fold } from '../../../domain/facts/fold.js';
import { permissionFor } from '../../../workflows/agreement/payments.js';
import { admitRetry } from '../../../workflows/agreement/retries.js';
import * as agreements from '../../../workflows/agreement/state.js';
import { AGREEMENT } from '../../../workflows/agreement/definition.js';
import { viewOf as agreementView } from '../../../workflows/agreement/view.js';
import { HANDLERS as CONNECTIONS } from '../../../workflows/connection/handlers.js';
import * as connections from '../../../workflows/connection/state.js';
import { CONNECTION } from '../../../workflows/connection/steps.js';
import { accessOf, viewOf as connectionView } from '../../../workflows/connection/view.js';
import * as payments from '../../../workflows/payment/state.js';
import { PAYMENT } from '../../../workflows/payment/definition.js';
import { viewOf as paymentView } from '../../../workflows/payment/view.js';
import * as refunds from '../../../workflows/refund/state.js';
import { REFUND } from '../../../workflows/refund/definition.js';
import { viewOf as refundView } from '../../../workflows/refund/view.js';
import { createAgenda } from '../agenda.js';
import { createVirtualRuntime } from '../virtual-runtime.js';
import { createRuns, overJson } from '../virtual-runs.js';
import { partiesIn, type Over } from './virtual-parties.js';
import { A_MANDATE, aRefundOrder, anOrder, answersOf, nothingNew, only } from './provider.js';
import type { Activities } from '../../../activities/index.js';
import type { ActionRequest } from '../../../domain/agreement/action.js';
import type { PaymentReport } from '../../../domain/payment/outcome.js';
import type { PlanRequest } from '../../../domain/agreement/plan.js';
import type { AttentionResolution } from '../../../domain/attention/resolution.js';
import type { AgreementInput, PaymentRequest } from '../../../workflows/agreement/contract.js';
import type {
  Confirmation,
  ConsentAnswer,
  ConsentRequest,
  Revocation,
  SealedTokens,
} from '../../../workflows/connection/contract.js';
import type { MessageHandler } from '../../../workflows/engine/handlers.js';
import type { Awaited, EntityDefinition, StateStore } from '../../../workflows/engine/reconcile.js';
import type { Child, Runtime } from '../../../workflows/engine/runtime.js';
import type { Message } from '../../../workflows/contracts/signals.js';
import type { AnyStep } from '../../../workflows/engine/step.js';
import type { PaymentInput } from '../../../workflows/payment/contract.js';
import type { RefundInput } from '../../../workflows/refund/contract.js';
import type { RefundReport, RefundRequest } from '../../../domain/refund/lifecycle.js';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const BEGIN_MS = Date.UTC(2026, 10, 1);

export type Scene = ReturnType<typeof inVirtualTime>;

interface AgreementHere {
  cell: StateStore<agreements.AgreementState>;
  state: () => agreements.AgreementState;
  isOver: () => boolean;
}

export function inVirtualTime(given: Partial<Activities>) {
  const agenda = createAgenda(BEGIN_MS);
  const now = (): Instant => new Date(agenda.nowMs()).toISOString();
  const clock = {
    now,
    after: (delayMs: number, run: () => void) => {
      agenda.after(delayMs, run);
    },
  };
  const calls: string[] = [];
  const lives: { settle(): Promise<void> }[] = [];
  const begun = new Map<string, Child['input']>();
  const agreementsHere = new Map<string, AgreementHere>();
  const reports: PaymentReport[] = [];
  const askAgreement: Activities['askAgreement'] = ({ uid, order, isRetry }) => {
    const asked = agreementsHere.get(order.agreement_uid);
    if (asked === undefined) return Promise.resolve({ judged: { at: now(), state: 'active', terms: {} } });
    if (asked.isOver())
      return Promise.resolve({ refusal: { code: 'agreement_final', detail: 'its agreement has ended.' } });
    const answer = isRetry
      ? admitRetry(asked.cell, { now }, { uid, order })
      : permissionFor(asked.state(), { uid, order, isRetry, at: now() });
    return answer === null ? Promise.reject(nothingNew(MINUTE)) : Promise.resolve(answer);
  };
  const noHolder = () => Promise.resolve(null);
  const answers = answersOf(
    only({ askAgreement, claimRefund: noHolder, claimPayment: noHolder, ...given }),
    now,
    calls,
  );
  const settle = async (): Promise<void> => {
    for (let made = -1; made !== calls.length + reports.length;) {
      made = calls.length + reports.length;
      for (const life of lives) await life.settle();
    }
  };
  agenda.settleBy(settle);

  function live<State extends Awaited, Step extends AnyStep>(
    story: EntityDefinition<State, Step>,
    initial: State,
    carriedOver: (state: State) => State,
  ) {
    const startChild = ({ workflowId, input }: Child): Promise<boolean> => {
      const isFree = !begun.has(workflowId);
      if (isFree) begun.set(workflowId, input);
      return Promise.resolve(isFree);
    };
    let unanswered = 0;
    const runs = createRuns({
      story,
      initial,
      carriedOver,
      createRuntime: () => ({
        ...createVirtualRuntime(clock, answers, { startChild, signal }),
        areHandlersFinished: () => unanswered === 0,
      }),
    });
    const { cell, runtime, isOver } = runs;
    const own = async (): Promise<void> => {
      for (let settled: Runtime | undefined; runtime() !== settled;) {
        settled = runtime();
        await runtime().settle();
      }
      const fault = runs.fault();
      if (fault !== undefined) throw fault;
    };
    lives.push({ settle: own });
    const begin = async <Arg, Answer>(handler: MessageHandler<State, Arg, Answer>, arg: Arg) => {
      handler.validate?.(cell.read(), arg, now());
      unanswered += 1;
      const answer = Promise.resolve(handler.handle(cell, runtime(), arg)).finally(() => (unanswered -= 1));
      answer.catch(() => undefined);
      await settle();
      return { answer };
    };
    return {
      cell,
      runtime,
      state: cell.read,
      runs: runs.count,
      isOver,
      begin,
      send: async <Arg, Answer>(handler: MessageHandler<State, Arg, Answer>, arg: Arg): Promise<Answer> => {
        const { answer } = await begin(handler, arg);
        return answer;
      },
      sendAll: async <Arg>(
        handler: MessageHandler<State, Arg, void>,
        args: readonly Arg[],
      ): Promise<void> => {
        for (const arg of args) await handler.handle(cell, runtime(), arg);
        await settle();
      },
      growLong: async (): Promise<void> => {
        runs.growLong();
        await settle();
      },
    };
  }

  function signal({ arg }: Message): Promise<boolean> {
    reports.push(arg as PaymentReport);
    return Promise.resolve(true);
  }

  async function agreement({ carried, ...input }: Over<AgreementInput, agreements.AgreementState> = {}) {
    const uid = input.uid ?? `agr-${randomUUID()}`;
    const whole = { uid, connectionId: 'acme', mandate: A_MANDATE, ...input };
    const life = live(AGREEMENT, carried ?? agreements.newAgreement(whole, now()), agreements.stateToCarry);
    const { send, state } = life;
    agreementsHere.set(uid, life);
    await settle();
    return {
      ...life,
      uid,
      view: () => agreementView(state()),
      timeline: () => {
        const { facts, start, droppedHashes = [] } = state();
        const { conflicts } = fold(AGREEMENT_LIFECYCLE, start, facts);
        return { facts: inOrder(facts), olderCount: droppedHashes.length, conflicts };
      },
      end: () => {
        if (!life.isOver()) throw new Error(`expected ${uid} to have ended`);
        const ended = agreements.judgeActions(state());
        return { ...agreementView(ended), carried: overJson({ ...ended, blocked: undefined }) };
      },
      receive: (...facts: Fact[]) => life.sendAll(AGREEMENT.handlers.fact, facts),
      claim: (by: AgreementInput) => send(AGREEMENT.handlers.claim, by),
      differs: () => send(AGREEMENT.handlers.differs, undefined),
      restored: () => send(AGREEMENT.handlers.connectionRestored, undefined),
      ask: (request: ActionRequest) => send(AGREEMENT.handlers.requestAction, request),
      lookUpNow: () => send(AGREEMENT.handlers.lookUpNow, undefined),
      report: (by: PaymentReport) => send(AGREEMENT.handlers.paymentReports, by),
      details: () => AGREEMENT.publish(state()).details,
      resolve: (by: AttentionResolution) => send(AGREEMENT.handlers.resolveAttention, by),
      putPlan: (plan: PlanRequest) => send(AGREEMENT.handlers.putPlan, plan),
      endPlan: () => send(AGREEMENT.handlers.endPlan, { by: 'key-1' }),
      pay: (request: PaymentRequest) => send(AGREEMENT.handlers.requestPayment, request),
    };
  }

  async function payment({ carried, ...input }: Over<PaymentInput, payments.PaymentState> = {}) {
    const uid = input.uid ?? `pay-${randomUUID()}`;
    const whole = { uid, connectionId: 'acme', order: anOrder('agr-1'), ...input };
    const life = live(PAYMENT, carried ?? payments.newPayment(whole, now()), payments.stateToCarry);
    await settle();
    return {
      ...life,
      uid,
      view: () => paymentView(life.state()),
      carried: () => overJson(life.state()),
      receive: (...facts: Fact[]) => life.sendAll(PAYMENT.handlers.fact, facts),
      restored: () => life.send(PAYMENT.handlers.connectionRestored, undefined),
      lookUpNow: () => life.send(PAYMENT.handlers.lookUpNow, undefined),
      resolve: (by: AttentionResolution) => life.send(PAYMENT.handlers.resolveAttention, by),
      claim: (by: PaymentInput) => life.send(PAYMENT.handlers.claim, by),
      refund: (request: RefundRequest) => life.send(PAYMENT.handlers.requestRefund, request),
      refundReports: (by: RefundReport) => life.send(PAYMENT.handlers.refundReports, by),
      retry: (key: string) => life.send(PAYMENT.handlers.retryPayment, { key, by: 'key-1' }),
      withdraw: (reason = 'not wanted') =>
        life.send(PAYMENT.handlers.withdrawPayment, { reason, by: 'key-1' }),
    };
  }

  async function refund({ carried, ...input }: Over<RefundInput, refunds.RefundState> = {}) {
    const uid = input.uid ?? `ref-${randomUUID()}`;
    const whole = { uid, connectionId: 'acme', order: aRefundOrder('pay-1'), ...input };
    const life = live(REFUND, carried ?? refunds.newRefund(whole, now()), REFUND.toCarry);
    await settle();
    return {
      ...life,
      uid,
      view: () => refundView(life.state()),
      carried: () => overJson(life.state()),
      receive: (...facts: Fact[]) => life.sendAll(REFUND.handlers.fact, facts),
      claim: (by: RefundInput) => life.send(REFUND.handlers.claim, by),
      restored: () => life.send(REFUND.handlers.connectionRestored, undefined),
      lookUpNow: () => life.send(REFUND.handlers.lookUpNow, undefined),
      resolve: (by: AttentionResolution) => life.send(REFUND.handlers.resolveAttention, by),
    };
  }

  async function connection(carried?: connections.ConnectionState) {
    const life = live(CONNECTION, carried ?? connections.newConnection('acme', now()), (known) => known);
    const { begin, send, state } = life;
    await settle();
    const complete = async (answer: Omit<ConsentAnswer, 'browser'>, browser = 'a browser') => {
      const { round, expiresAt } = answer;
      await send(CONNECTIONS.useTicket, { round, expiresAt, browser });
      return begin(CONNECTIONS.completeConsent, { ...answer, browser });
    };
    return {
      ...life,
      beginConsent: (asked: ConsentRequest = {}) => send(CONNECTIONS.beginConsent, asked),
      complete,
      confirm: (confirmation: Confirmation) => send(CONNECTIONS.confirmAccount, confirmation),
      view: () => connectionView(state()),
      access: () => accessOf(state()),
      refreshed: (tokens: SealedTokens) => send(CONNECTIONS.tokensRefreshed, tokens),
      revoke: (revocation: Revocation) => send(CONNECTIONS.revokeConnection, revocation),
      consent: async (sealedCode = 'sealed', asked: ConsentRequest = {}) =>
        complete({ ...(await send(CONNECTIONS.beginConsent, asked)), sealedCode }),
      ensure: (after: number) => begin(CONNECTIONS.ensureGeneration, { after }),
    };
  }

  return {
    agenda,
    now,
    calls,
    begun,
    reports,
    pass: (ms: number) => agenda.pass(ms),
    settle,
    live,
    agreement,
    payment,
    refund,
    ...partiesIn({ live, now, settle }),
    connection,
  };
}

export function unanswered<T>() {
  let open: (value: T) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const answer = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { answer, open, fail };
}
