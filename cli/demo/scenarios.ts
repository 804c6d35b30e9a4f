// The three agreements: the payer accepts the first, all webhooks of the second are lost, the payer never answers the third.
import type { Agreement } from '../api/client.js';
import { anAgreement, aPayment } from '../first-commands.js';
import { announced, eventually } from '../api/waiting.js';
import {
  CONNECTION,
  Difference,
  mustBe,
  pay,
  SOON_SECONDS,
  sourceOf,
  type Intent,
  type Scene,
  type Scenario,
} from './scene.js';
import { fastForward } from './skip-time.js';

const FIVE_DAYS_SECONDS = 5 * 24 * 60 * 60;
/** Longer than the look-up right after a creation, so that only the poll 15 s later finds the answer. */
const HESITATION_SECONDS = 2;
/** 15 s ± 10 %, plus a margin for a slow machine. */
const FIRST_POLL_SECONDS = 30;

/** A jump takes about a second, and there are about 25. A slow machine takes longer. */
const LONGEST_JUMPS_MS = 120_000;

const seconds = (ms: number): number => Math.round(ms / 100) / 10;
const secondsSince = (startedMs: number): number => seconds(performance.now() - startedMs);

/** An agreement with its expected final state. */
const scenarioOf = (uid: string, title: string, expected: string, startedMs: number): Scenario => ({
  uid,
  title,
  intents: [{ kind: 'agreement', uid, agreementUid: uid, expected }],
  startedMs,
  seconds: 0,
});

const start = ({ api }: Scene, { uid, title }: Scenario, waitSeconds = 0): Promise<Agreement> =>
  api.createAgreement(anAgreement({ uid, connection: CONNECTION, description: title }), waitSeconds);

/** The payer accepts, a payment settles, and a repeated request does not pay twice. */
export async function accepted(scene: Scene, uid: string): Promise<Scenario> {
  const scenario = scenarioOf(uid, 'the payer accepts', 'active', performance.now());
  const about = `agreement ${uid}`;
  await scene.provider.scriptPayer(uid, { simulate: 'debtor_accept' });
  const active = mustBe(about, 'active', await start(scene, scenario, SOON_SECONDS));
  const took = secondsSince(scenario.startedMs);
  scene.logStep(about, 'payer accepted → active', active.links.temporal_ui);
  const { settled, intent } = await pay(scene, uid, `${uid}-pay-1`);
  scene.logStep(`payment ${settled.uid}`, 'settled', settled.links.temporal_ui);
  await payAgain(scene, uid, settled.uid);
  return { ...scenario, intents: [...scenario.intents, intent], seconds: took };
}

async function payAgain({ api, logStep }: Scene, agreementUid: string, uid: string): Promise<void> {
  const again = await api.requestPayment(agreementUid, aPayment(uid), 0);
  const link = again.links.temporal_ui;
  if (again.uid !== uid) throw new Difference(`payment ${uid} requested again`, uid, again.uid, link);
  if (again.submissions !== 1) {
    throw new Difference(`payment ${uid}`, 'one submission', `${again.submissions}`, link);
  }
  logStep(`payment ${uid}`, `requested again → the same payment, still ${again.state}, sent once`, link);
}

/** All its webhooks are lost. Polls bring the agreement and its payment to the same end. */
export async function unheard(scene: Scene, uid: string): Promise<Scenario> {
  const { api, provider, logStep } = scene;
  const scenario = scenarioOf(uid, 'all webhooks are lost', 'active', performance.now());
  const about = `agreement ${uid}`;
  const paymentUid = `${uid}-pay-1`;
  await provider.scriptPayer(uid, { simulate: 'debtor_accept', delay: HESITATION_SECONDS });
  await provider.delaySettlement(paymentUid, HESITATION_SECONDS);
  await provider.loseWebhooks(uid);
  const { links } = await start(scene, scenario);
  logStep(about, 'created; all its webhooks will be lost', links.temporal_ui);
  mustBe(about, 'active', await api.getAgreement(uid, FIRST_POLL_SECONDS));
  const took = secondsSince(scenario.startedMs);
  const source = sourceOf(await api.getTimeline(uid), 'activated');
  if (source === 'webhook') throw new Difference(about, 'to learn it by polling', source, links.temporal_ui);
  logStep(about, `no webhook arrived; a poll found it in the ${source} → active`, links.temporal_ui);
  const { settled, intent } = await pay(scene, uid, paymentUid);
  logStep(
    `payment ${paymentUid}`,
    'no webhook arrived; a poll found it → settled',
    settled.links.temporal_ui,
  );
  return { ...scenario, intents: [...scenario.intents, intent], seconds: took };
}

/** The payer does not answer. After five days the agreement is overdue, but expires only when the provider reports it. */
export async function ignored(scene: Scene, uid: string): Promise<Scenario> {
  const { api, provider, logStep } = scene;
  const scenario = scenarioOf(uid, 'the payer never answers', 'expired', performance.now());
  const about = `agreement ${uid}`;
  await provider.scriptPayer(uid, { simulate: 'ignore' });
  const { links } = await start(scene, scenario);
  logStep(about, 'created; the payer will not answer', links.temporal_ui);
  await eventually(
    () => provider.state(),
    ({ agreements }) => agreements.some((one) => one.uid === uid && one.state === 'created'),
    { what: `agreement ${uid} to reach its payer`, limitMs: SOON_SECONDS * 1000 },
  );
  const jumpedMs = performance.now();
  await announced(
    (line) => logStep(about, line),
    'skipping 5 days on the clock of the workflow, one wait at a time',
    () => fastForward(scene.temporalAddress, `agreement/${uid}`, FIVE_DAYS_SECONDS + 60),
  );
  const overdue = await eventually(
    () => api.getAgreement(uid),
    ({ attention }) => attention.some(({ code }) => code === 'overdue'),
    { what: `${about} to be flagged overdue after five skipped days`, limitMs: LONGEST_JUMPS_MS },
  );
  mustBe(about, 'created', overdue);
  const took = `5 days passed in ${secondsSince(jumpedMs)} s with ${await lookUps(scene, uid)} look-ups`;
  logStep(about, `${took} → flagged overdue, and still created`, links.temporal_ui);
  return scenario;
}

/** The number of look-ups of the agreement at the provider. */
async function lookUps({ provider }: Scene, uid: string): Promise<number> {
  const requested = (await provider.ledger()).filter(
    (entry) => entry.kind === 'call' && entry.operation === 'get_agreement' && entry.resource_uid === uid,
  );
  return requested.length;
}

/** Five days pass at the provider too. It reports the end, and only now the agreement is expired. */
export async function expired({ api, provider, logStep }: Scene, scenario: Scenario): Promise<Scenario> {
  const about = `agreement ${scenario.uid}`;
  await provider.advance(FIVE_DAYS_SECONDS);
  const { links } = mustBe(about, 'expired', await api.getAgreement(scenario.uid, SOON_SECONDS));
  const source = sourceOf(await api.getTimeline(scenario.uid), 'expired');
  logStep(
    about,
    `5 days passed at the provider too; it reported the end by ${source} → expired`,
    links.temporal_ui,
  );
  return { ...scenario, seconds: secondsSince(scenario.startedMs) };
}

/** The access token expired days ago at the provider. One refresh, and the payment is sent. */
export async function paidLater(scene: Scene, agreementUid: string): Promise<Intent> {
  const { settled, intent } = await pay(scene, agreementUid, `${agreementUid}-pay-2`, 1_900);
  const what = 'the access token expired days ago; it was refreshed → settled';
  scene.logStep(`payment ${settled.uid}`, what, settled.links.temporal_ui);
  return intent;
}
