// A sandbox, a receiver for its webhooks and an authorised caller: one per test, closed after it.
import { onTestFinished } from 'vitest';
import { startSandbox, type RunningSandbox, type SandboxOptions } from '../../sandbox/start.js';
import { authorisedCaller, type Caller } from './caller.js';
import { startReceiver, type Receiver } from './receiver.js';
import { anAgreement } from './requests.js';

export interface World {
  url: string;
  control: RunningSandbox['control'];
  receiver: Receiver;
  caller: Caller;
  /** With a grant of its own: after two hours on the clock the first token is worth nothing. */
  newCaller(): Promise<Caller>;
}

export async function aWorld(options: SandboxOptions = {}): Promise<World> {
  const receiver = await startReceiver();
  const sandbox = await startSandbox({ webhookUrl: receiver.url, ...options });
  onTestFinished(async () => {
    await sandbox.close();
    await receiver.close();
  });
  const { url, control } = sandbox;
  const newCaller = (): Promise<Caller> => authorisedCaller(url);
  return { url, control, receiver, newCaller, caller: await newCaller() };
}

/** An agreement the payer has accepted, its webhook delivered. Returns its uid. */
export async function anActiveAgreement(
  { caller, control }: Pick<World, 'caller' | 'control'>,
  overrides: object = {},
): Promise<string> {
  const request = anAgreement(overrides);
  await caller.post('/payto/agreements', request);
  await control.advance(1);
  return request.uid;
}

/** An agreement that waits for a payer who never answers. Returns its uid. */
export async function anIgnoredAgreement(
  { caller, control }: World,
  overrides: object = {},
): Promise<string> {
  const request = anAgreement(overrides);
  control.scriptPayer(request.uid, { simulate: 'ignore' });
  await caller.post('/payto/agreements', request);
  await control.advance(1);
  return request.uid;
}
