import { findPackageRoot } from '../../../temporal-server/binary/cache.js';
import { expect, onTestFinished, test } from 'vitest';
import { launch, type Program } from '../../../cli/stack/child.js';
import {
  createProcessGroup,
  Interrupted,
  MemberLost,
  pressed,
  type ProcessGroup,
} from '../../../cli/stack/process-group.js';

const STAYS = 'setInterval(() => undefined, 1000);';
const GOES_ON_SIGTERM = `${STAYS} process.on('SIGTERM', () => { console.log('told'); process.exit(0); });`;
const IS_READY = "console.log('ready now');";

function aCrew(): ProcessGroup {
  const crew = createProcessGroup(() => undefined);
  onTestFinished(() => crew.kill());
  return crew;
}

async function aProgram(
  crew: ProcessGroup,
  name: string,
  script: string,
  {
    readyWithinMs = 30_000,
    onLine = (): void => undefined,
  }: { readyWithinMs?: number; onLine?: (line: string) => void } = {},
): Promise<Program> {
  const program = await launch({
    name,
    args: ['-e', script],
    cwd: findPackageRoot(),
    environment: {},
    readyLine: /^ready/,
    readyWithinMs,
    stopWithinMs: 60_000,
    onLine,
  });
  crew.add(program);
  return program;
}

test('one that dies before it is ready is named, with its last words', async () => {
  const crew = aCrew();
  const script = "console.error('API_KEYS: expected keys'); process.exit(3);";
  const program = await aProgram(crew, 'api', script);
  const failure: unknown = await crew.guard(program.ready).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MemberLost);
  expect(String(failure)).toMatch(/api stopped by itself \(exit code 3\n\s+API_KEYS: expected keys\)/);
});

test('one that dies later ends whatever is being waited for', async () => {
  const crew = aCrew();
  const program = await aProgram(crew, 'worker', `${IS_READY} ${STAYS}`);
  expect(await crew.guard(program.ready)).toBe('ready now');
  process.kill(program.pid, 'SIGKILL');
  await expect(crew.trouble()).rejects.toThrow('worker stopped by itself (SIGKILL');
  await expect(crew.guard(new Promise(() => undefined))).rejects.toThrow(MemberLost);
});

test('one that is not ready in time is named, with what was expected', async () => {
  const crew = aCrew();
  const { ready } = await aProgram(crew, 'sandbox', STAYS, { readyWithinMs: 10 });
  await expect(crew.guard(ready)).rejects.toThrow(
    'sandbox is not ready after 0.01 s: expected a line like /^ready/',
  );
});

test('one that cannot be started at all is named', async () => {
  const options = { readyLine: /^ready/, readyWithinMs: 1, stopWithinMs: 1, onLine: () => undefined };
  const start = launch({
    name: 'api',
    args: [],
    cwd: '/there/is/no/such/folder',
    environment: {},
    ...options,
  });
  await expect(start).rejects.toThrow('api did not start');
});

test('all are stopped in the reverse order of their start, each after the one before has gone', async () => {
  const crew = aCrew();
  const events: string[] = [];
  for (const name of ['temporal', 'sandbox', 'worker', 'api']) {
    const onLine = (line: string): void => void (line === 'told' && events.push(`${name} told`));
    const program = await aProgram(crew, name, `${GOES_ON_SIGTERM} ${IS_READY}`, { onLine });
    void program.exited.then(({ exitCode }) => events.push(`${name} gone ${exitCode}`));
    await crew.guard(program.ready);
  }
  await crew.stop();
  const order = ['api', 'worker', 'sandbox', 'temporal'];
  expect(events).toEqual(order.flatMap((name) => [`${name} told`, `${name} gone 0`]));
});

test('an interruption ends the wait, and nobody who is stopped counts as lost', async () => {
  const crew = aCrew();
  const program = await aProgram(crew, 'api', `${GOES_ON_SIGTERM} ${IS_READY}`);
  await crew.guard(program.ready);
  crew.interrupt();
  await expect(crew.trouble()).rejects.toThrow(Interrupted);
  await crew.stop();
  await expect(crew.trouble()).rejects.toThrow(Interrupted);
});

test('one that does not stop when told is killed when somebody insists', async () => {
  const crew = aCrew();
  const deaf = `process.on('SIGTERM', () => console.log('told')); ${STAYS} ${IS_READY}`;
  const heard = new Promise<void>((resolve) => {
    void aProgram(crew, 'worker', deaf, { onLine: (line) => void (line === 'told' && resolve()) }).then(
      async (program) => {
        await program.ready;
        void crew.stop();
      },
    );
  });
  await heard;
  const stopped = crew.stop();
  crew.kill();
  await stopped;
});

test('one press of Ctrl-C counts once, however often it reaches us; the second press insists', () => {
  const heard: string[] = [];
  let nowMs = 0;
  const press = pressed(
    { first: () => heard.push('first'), second: () => heard.push('second') },
    () => nowMs,
  );
  press();
  nowMs = 40;
  press();
  nowMs = 900;
  press();
  expect(heard).toEqual(['first']);
  nowMs = 1_500;
  press();
  expect(heard).toEqual(['first', 'second']);
});
