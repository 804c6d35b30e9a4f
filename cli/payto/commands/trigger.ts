// `payto trigger`: lets the sandbox do what causes an event, such as a payment that fails with a code.
import { randomBytes } from 'node:crypto';
import { Option, type Command } from 'commander';
import { ApiProblem, answerOf, paymentIn, type Agreement } from '../../../client/create.js';
import { UnexpectedAnswer } from '../../api/http.js';
import { createProvider, type PayerAction, type Provider } from '../../demo/provider.js';
import { contextOf, printJson, printLines, type Context } from '../context.js';
import { EXIT, Failure, usage } from '../failure.js';
import { words } from '../format.js';
import { readProfile } from '../profile.js';
import { centsOf } from '../read-arguments.js';
import type { Api } from '../api.js';
import type { Io } from '../io.js';

const LOCAL_SANDBOX = 'http://127.0.0.1:8090';
const WAIT_SECONDS = 20;
/** The API has only some of the agreements of a shared sandbox. */
const MOST_TRIED = 20;
const DEFAULT_CENTS = 4200;

/** Each action of the payer, and the state that the agreement needs. */
const PAYER: Readonly<Record<string, { action: PayerAction; done: string; in: Agreement['state'] }>> = {
  'agreement.active': { action: 'accept', done: 'accepted', in: 'created' },
  'agreement.declined': { action: 'decline', done: 'declined', in: 'created' },
  'agreement.suspended': { action: 'suspend', done: 'suspended', in: 'active' },
  'agreement.reactivated': { action: 'reactivate', done: 'reactivated', in: 'suspended' },
  'agreement.cancelled': { action: 'cancel', done: 'cancelled', in: 'active' },
};
/** What becomes of a new payment. */
const PAYMENT: Readonly<Record<string, string>> = {
  'payment.settled': 'auto_settle',
  'payment.failed': 'insufficient_funds',
  'payment.under_investigation': 'requires_investigation',
};
const EVENTS = [...Object.keys(PAYER), ...Object.keys(PAYMENT)];

interface TriggerFlags {
  code?: string;
  agreement?: string;
  amount?: string;
  sandbox?: string;
}

/** Adds the command. */
export function addTrigger(program: Command, io: Io): void {
  program
    .command('trigger <event>')
    .summary('let the sandbox cause an event')
    .description(
      `Causes an event in the sandbox, which simulates the provider: ${EVENTS.join(', ')}.\n` +
        'An event of a payment requests a new payment under an agreement that both the API and the sandbox have.',
    )
    .option('--code <code>', 'payment.failed: the failure code, such as AM04')
    .option('--agreement <uid>', 'the agreement (default: any in the right state)')
    .option('--amount <dollars>', 'of the payment', centsOf)
    .addOption(new Option('--sandbox <url>', `the sandbox (PAYTO_SANDBOX_URL; default: ${LOCAL_SANDBOX})`))
    .action(async (event: string, flags: TriggerFlags, self: Command) =>
      trigger(contextOf(self, io), event, flags),
    );
}

async function trigger(context: Context, event: string, flags: TriggerFlags): Promise<void> {
  const [payer, script] = [PAYER[event], PAYMENT[event]];
  if (payer === undefined && script === undefined)
    throw usage(`expected one of ${EVENTS.join(', ')}, found ${event}`);
  if (flags.code !== undefined && event !== 'payment.failed')
    throw usage('expected --code only with payment.failed');
  const api = await context.api();
  const sandbox = await openSandbox(context, flags);
  const agreement = await agreementIn(api, sandbox, payer?.in ?? 'active', flags.agreement);
  if (payer !== undefined) {
    await explainRefusal(sandbox.provider.actAsPayer(agreement.uid, payer.action));
    const text = `The payer ${payer.done} agreement ${agreement.uid} in the sandbox. \`payto follow ${agreement.uid}\` shows what follows.`;
    return context.isJson
      ? printJson(context, { event, agreement: agreement.uid })
      : printLines(context, [text]);
  }
  const uid = `pay-${randomBytes(5).toString('hex')}`;
  await explainRefusal(sandbox.provider.scriptPayment(uid, flags.code ?? script ?? ''));
  const { data } = await answerOf(
    api.client.POST('/v1/agreements/{uid}/payments', {
      params: { path: { uid: agreement.uid }, query: { wait: WAIT_SECONDS } },
      body: {
        uid,
        amount: amountOf(agreement, flags),
        reference: uid,
        description: 'payto trigger',
        creditor_reference: uid,
      },
    }),
  );
  const payment = paymentIn(data);
  if (context.isJson) return printJson(context, { event, payment: uid, state: payment.state });
  const failure = payment.failure?.code;
  return printLines(context, [
    `Payment ${uid} under agreement ${agreement.uid} is ${words(payment.state)}${failure == null ? '' : ` (${failure})`}. \`payto timeline ${uid}\` shows what happened.`,
  ]);
}

const amountOf = ({ payment_terms: terms }: Agreement, { amount }: TriggerFlags): number =>
  amount === undefined
    ? (terms?.amount ?? Math.min(DEFAULT_CENTS, terms?.max_amount ?? DEFAULT_CENTS))
    : Number(amount);

interface Sandbox {
  url: string;
  provider: Provider;
  agreements: readonly { uid: string; state: string }[];
}

/** @throws Failure if nothing answers there, or it is no sandbox. */
async function openSandbox({ io, flags: target }: Context, flags: TriggerFlags): Promise<Sandbox> {
  const ofProfile =
    flags.sandbox ?? io.environment.PAYTO_SANDBOX_URL ?? (await readProfile(target, io))?.sandbox;
  const url = (ofProfile ?? LOCAL_SANDBOX).replace(/(?<!\/)\/+$/, '');
  const provider = createProvider(url, io.signal);
  const { agreements } = await provider.state().catch((error: unknown) => {
    if (error instanceof UnexpectedAnswer || error instanceof SyntaxError)
      throw new Failure(
        EXIT.failed,
        `${url} is no sandbox: it has no control API. Nothing was changed. Give the sandbox’s URL with --sandbox.`,
        { cause: error },
      );
    if (error instanceof TypeError)
      throw new Failure(
        EXIT.unreachable,
        `No sandbox answers at ${url}. Start it with \`npm start\`, or give its URL with --sandbox.`,
        { cause: error },
      );
    throw error;
  });
  return { url, provider, agreements };
}

/** An agreement that the API and the sandbox have. So no request reaches a real provider. */
async function agreementIn(
  { client }: Api,
  { url, agreements }: Sandbox,
  state: Agreement['state'],
  wanted: string | undefined,
): Promise<Agreement> {
  if (wanted !== undefined && !agreements.some(({ uid }) => uid === wanted))
    throw new Failure(
      EXIT.notFound,
      `The sandbox at ${url} has no agreement ${wanted}. Is it the provider of this API?`,
    );
  const candidates = agreements.filter((one) =>
    wanted === undefined ? one.state === state : one.uid === wanted,
  );
  for (const { uid } of candidates.toReversed().slice(0, MOST_TRIED)) {
    try {
      const { data } = await answerOf(client.GET('/v1/agreements/{uid}', { params: { path: { uid } } }));
      if (data.state === state) return data;
      if (wanted !== undefined)
        throw new Failure(
          EXIT.failed,
          `expected an agreement in the state ${state}; ${uid} is ${data.state}`,
        );
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 404) throw error;
    }
  }
  throw new Failure(
    EXIT.notFound,
    `No agreement in the state ${state} is both in the API and in the sandbox at ${url}. Create one first: \`npm start\` prints a command.`,
  );
}

async function explainRefusal(call: Promise<void>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof UnexpectedAnswer)) throw error;
    throw new Failure(EXIT.failed, `The sandbox refused this: ${error.message}`, { cause: error });
  }
}
