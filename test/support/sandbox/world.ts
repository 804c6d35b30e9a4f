import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { startSandbox, type RunningSandbox, type SandboxOptions } from '../../../sandbox/start.js';
import { authorisedCaller, type Caller } from './caller.js';
import { startReceiver, type Receiver } from './receiver.js';
import { anAgreement } from './requests.js';

export interface World {
  url: string;
  control: RunningSandbox['control'];
  receiver: Receiver;
  caller: Caller;
  newCaller(): Promise<Caller>;
}

interface OpenWorld {
  world: World;
  close: () => Promise<void>;
}

async function openWorld(options: SandboxOptions): Promise<OpenWorld> {
  const receiver = await startReceiver();
  const sandbox = await startSandbox({ webhookUrl: receiver.url, ...options });
  const { url, control } = sandbox;
  const newCaller = (): Promise<Caller> => authorisedCaller(url);
  const world = { url, control, receiver, newCaller, caller: await newCaller() };
  return {
    world,
    async close() {
      await sandbox.close();
      await receiver.close();
    },
  };
}

export async function aWorld(options: SandboxOptions = {}): Promise<World> {
  const { world, close } = await openWorld(options);
  onTestFinished(close);
  return world;
}

export function aSharedWorld(): () => World {
  let opened: OpenWorld | undefined;
  beforeAll(async () => {
    opened = await openWorld({});
    opened.world.control.setLimits({ agreements_per_debtor_per_day: 10_000 });
  });
  afterAll(() => opened?.close());
  return () => {
    if (opened === undefined) throw new Error('use the shared world only while tests run');
    return opened.world;
  };
}

export async function anActiveAgreement(
  { caller, control }: Pick<World, 'caller' | 'control'>,
  overrides: object = {},
): Promise<string> {
  const request = anAgreement(overrides);
  await caller.post('/payto/agreements', request);
  await control.advance(1);
  return request.uid;
}

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
