// One life: the workflows of an agreement, its payments, refunds and connection, with their provider and workers in virtual time.
import { whyLate } from '../../activities/payment/in-time.js';
import { isFinal } from '../../domain/agreement/lifecycle.js';
import { JUDGEMENT_LASTS_MS } from '../../domain/terms/judgement.js';
import { stateOf, type AgreementState } from '../../workflows/agreement/state.js';
import { HANDLERS as CONNECTIONS } from '../../workflows/connection/handlers.js';
import * as connections from '../../workflows/connection/state.js';
import { agreementWorkflowId } from '../../workflows/contracts/signals.js';
import { createAgenda, type Agenda } from '../support/agenda.js';
import { answersOf, factOf } from './calls.js';
import { paymentAnswersOf, type PaymentProvider } from './payment-provider.js';
import { accountsOf } from './accounts.js';
import { createAuthority, type Authority } from './authority.js';
import { count, newChronicle, type Chronicle } from './chronicle.js';
import { createClock, drained } from './clock.js';
import { grantOf, withConsentOf } from './consented.js';
import { custodyAnswers } from './custody.js';
import { createFarSide, type FarSide } from './far-side.js';
import { followed } from './followed.js';
import { createHost, type Host } from './host.js';
import * as near from './neighbours.js';
import { listingOf, type RefundProvider } from './refund-provider.js';
import { createRefunds, type Refunds } from './refunds.js';
import { AGREEMENT_UID, BEGIN_MS, CONNECTION_ID, mandateOf } from './terms.js';
import { createWire, type Grant, type Wire } from './wire.js';
import { createWorkers, type Workers } from './workers.js';
import type { Difference } from '../../domain/sweep/comparison.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { ProviderEvent } from './provider-interface.js';
import type { PaymentState } from '../../workflows/payment/state.js';
import type { ResourceState } from '../../workflows/resource/state.js';
import type { PaymentInput } from '../../workflows/payment/contract.js';
import type { RefundInput } from '../../workflows/refund/contract.js';
import type { PaymentReport } from '../../domain/payment/outcome.js';
import type { Rules } from './rules.js';
import type { Scenario, WorkflowName } from './events.js';

export interface Life extends Omit<FarSide, 'payments' | 'refunds'> {
  scenario: Scenario;
  rules: Rules;
  agenda: Agenda;
  chronicle: Chronicle;
  authority: Authority;
  wire: Wire;
  workers: Workers;
  there: Map<string, PaymentProvider>;
  agreement: () => Host<AgreementState> | undefined;
  connection: Host<connections.ConnectionState>;
  payments: Map<string, Host<PaymentState>>;
  refunds: Refunds['hosts'];
  refundsThere: Map<string, RefundProvider>;
  localNow: () => string;
  turnClock: (ms: number) => void;
  receive: (event: ProviderEvent) => void;
  start: () => void;
  differs: () => void;
  paymentDiffers: (uid: string) => void;
  differences: Map<string, Difference>;
  resumeBlocked: () => void;
  note: (text: () => string) => void;
}

const RECEIVED_WITHIN_MS = JUDGEMENT_LASTS_MS + 1000;

export function createLife(scenario: Scenario, rules: Rules, isPrinted: boolean): Life {
  const { agreement: AGREEMENTS, payment: PAYMENTS } = rules.handlers;
  const agenda = createAgenda(BEGIN_MS);
  const chronicle = newChronicle();
  const authority = createAuthority(agenda, scenario.hasGrace, scenario.tokenMs);
  const { localNow, turn, passedMs } = createClock(agenda);
  let isTouched = true;
  const touched = (): void => void (isTouched = true);
  const note = (text: () => string): void => {
    if (isPrinted) chronicle.lines.push({ atMs: agenda.nowMs() - BEGIN_MS, text: text() });
  };
  const met = (fault: string): void => {
    count(chronicle, `fault ${fault}`);
    chronicle.faults += 1;
    note(() => `! ${fault}`);
  };
  const grant = (): Grant => grantOf(connection.state(), localNow());
  const refresh = (after: number, done: () => void): void => {
    connection.update(CONNECTIONS.ensureGeneration, { after }, done);
  };
  const wire = createWire({ agenda, authority, grant, refresh, met });
  const stepped = (workflow: WorkflowName | 'refund', what: string) => (step: string) => {
    count(chronicle, `${workflow} ${step}`);
    chronicle.steps += 1;
    note(() => `${what} starts ${step}`);
    if (step === 'resolve' && !near.isSearched(hostOf(what)))
      chronicle.doubts.push({ what, submissions: chronicle.submissions.length });
  };
  const isOver = (): boolean => agreement !== undefined && isFinal(stateOf(agreement.state()));
  const workers = createWorkers({
    agenda,
    as: wire.as,
    requireOnlyAttempt: rules.requireOnlyAttempt,
    isLate: (time) => rules.isTimeChecked && whyLate(time, Date.parse(localNow())) !== undefined,
    ...accountsOf({
      chronicle,
      note,
      nowMs: passedMs,
      isBarred: (uid) =>
        started.get(uid ?? '')?.state().blockedByAgreement !== undefined ||
        (agreement !== undefined &&
          isOver() &&
          agenda.nowMs() - agreement.changedAtMs() > RECEIVED_WITHIN_MS),
      isOver,
      paymentOf: (uid) => started.get(uid)?.state(),
      hostOf: (uid) => hostOf(uid),
      localNow,
    }),
  });

  const webhookOf = (event: ProviderEvent): Fact =>
    factOf(event, { receivedAt: localNow(), source: 'webhook', authenticated: scenario.isSigned });
  const receive = (event: ProviderEvent): void => {
    note(() => `webhook ${event.type}`);
    const fact = webhookOf(event);
    chronicle.taken.push({ what: AGREEMENT_UID, id: event.id });
    reach(fact);
  };
  const far = createFarSide({
    agenda,
    scenario,
    met,
    note,
    receive,
    receivePayment: (uid, event) => receivePayment(uid, event),
    receiveRefund: (uid, event) => {
      chronicle.taken.push({ what: uid, id: event.id });
      returned.receive(uid, webhookOf(event));
    },
  });
  const started = new Map<string, Host<PaymentState>>();
  const calls = workers.employed({
    ...answersOf(
      {
        uid: AGREEMENT_UID,
        provider: far.asCalled,
        network: wire,
        localNow,
        termsOf: ({ maxAmount }) => mandateOf(scenario.terms, maxAmount),
      },
      () => agreement?.state().actions.find(({ isSending }) => isSending)?.key ?? '',
    ),
    claimPayment: near.findingAdmitted(started),
    readRecord: near.readingRecords(started, agenda, scenario),
  });
  const tracked = workers.employed({
    ...listingOf(wire, localNow, far.refunds),
    ...paymentAnswersOf({ network: wire, localNow, provider: far.paymentAsCalled, orderOf: far.orderOf }),
    askAgreement: ({ uid, order, isRetry }) =>
      near.askingAgreement(agreement, AGREEMENTS, { uid, order, isRetry, at: localNow() }),
  });
  const hostPayment = (input: PaymentInput): Host<PaymentState> => {
    const host = createHost({
      ...followed(rules.payment, input, rules, localNow),
      agenda,
      localNow,
      touched,
      answers: tracked,
      neighbours: {
        startChild: ({ input }) => Promise.resolve(returned.start(input as RefundInput)),
        signal: ({ workflowId, arg }) => {
          if (workflowId !== agreementWorkflowId(AGREEMENT_UID)) return Promise.resolve(true);
          agreement?.signal(AGREEMENTS.paymentReports, arg as PaymentReport, true);
          return Promise.resolve(agreement !== undefined);
        },
      },
      stepped: stepped('payment', input.uid),
    });
    started.set(input.uid, host);
    return host;
  };
  const returned = createRefunds({
    rules,
    agenda,
    localNow,
    touched,
    stepped: (uid) => stepped('refund', uid),
    employed: workers.employed,
    network: wire,
    provider: far.refund,
    report: (paymentUid, report) => started.get(paymentUid)?.signal(PAYMENTS.refundReports, report, true),
  });
  const startPayment = (input: PaymentInput): boolean => {
    if (started.has(input.uid)) return false;
    chronicle.requests.set(input.uid, input);
    hostPayment(input);
    return true;
  };
  const paymentNow = (uid: string) => started.get(uid) ?? hostPayment({ uid, connectionId: CONNECTION_ID });
  const receivePayment = (uid: string, event: ProviderEvent): void => {
    chronicle.taken.push({ what: uid, id: event.id });
    paymentNow(uid).signal(PAYMENTS.fact, webhookOf(event), true);
  };
  let agreement: Host<AgreementState> | undefined;
  const hostAgreement = (mandate?: Mandate): Host<AgreementState> => {
    const given = { uid: AGREEMENT_UID, connectionId: CONNECTION_ID, mandate };
    agreement = createHost({
      ...followed(near.havingDropped(rules.agreement, scenario), given, rules, localNow),
      agenda,
      localNow,
      touched,
      answers: calls,
      neighbours: {
        startChild: ({ input }) => Promise.resolve(startPayment(input as PaymentInput)),
      },
      stepped: stepped('agreement', AGREEMENT_UID),
    });
    return agreement;
  };
  const reach = (fact: Fact): void => {
    (agreement ?? hostAgreement()).signal(AGREEMENTS.fact, fact, true);
  };
  const resumeBlocked = (): void => {
    if (agreement !== undefined && near.waitsForConsent(agreement))
      agreement.signal(AGREEMENTS.connectionRestored, undefined);
    for (const host of started.values())
      if (near.waitsForConsent(host)) host.signal(PAYMENTS.connectionRestored, undefined);
    returned.resumeBlocked();
  };
  const custody = custodyAnswers({
    agenda,
    authority,
    wire,
    localNow,
    tokenCalls: chronicle.tokenCalls,
    refreshed: (tokens) => {
      connection.signal(CONNECTIONS.tokensRefreshed, tokens);
    },
    resumeBlocked,
  });
  const unconsented = connections.newConnection(CONNECTION_ID, localNow());
  const connection: Host<connections.ConnectionState> = createHost({
    definition: rules.connection,
    initial: scenario.isNew ? unconsented : withConsentOf(unconsented, authority, localNow),
    carriedOver: (state) => state,
    agenda,
    localNow,
    touched,
    answers: workers.employed(custody),
    stepped: stepped('connection', CONNECTION_ID),
  });
  const hostOf = (what: string): Pick<Host<ResourceState>, 'state' | 'isLost'> | undefined =>
    what === AGREEMENT_UID ? agreement : (started.get(what) ?? returned.hosts.get(what));

  agenda.settleBy(async () => {
    for (let goesOn = isTouched; goesOn;) {
      await drained();
      isTouched = false;
      goesOn = false;
      if (connection.resume()) goesOn = true;
      if (agreement?.resume() === true) goesOn = true;
      for (const host of [...started.values(), ...returned.hosts.values()]) if (host.resume()) goesOn = true;
    }
  });
  return {
    ...far,
    scenario,
    rules,
    agenda,
    chronicle,
    authority,
    wire,
    workers,
    there: far.payments,
    agreement: () => agreement,
    connection,
    payments: started,
    refunds: returned.hosts,
    refundsThere: far.refunds,
    localNow,
    turnClock: turn,
    receive,
    start: () => void hostAgreement(mandateOf(scenario.terms)),
    differs: () => {
      if (agreement === undefined)
        hostAgreement(scenario.beginsAs === 'ours' ? mandateOf(scenario.terms) : undefined);
      else agreement.signal(AGREEMENTS.differs, undefined, true);
    },
    paymentDiffers: (uid) => {
      paymentNow(uid).signal(PAYMENTS.differs, undefined, true);
    },
    differences: new Map(),
    resumeBlocked,
    note,
  };
}
