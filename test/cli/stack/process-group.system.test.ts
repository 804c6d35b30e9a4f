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

test('a process that exits before it is ready is reported with its last output', async () => {
  const crew = aCrew();
  const script = "console.error('API_KEYS: expected keys'); process.exit(3);";
  const program = await aProgram(crew, 'api', script);
  const failure: unknown = await crew.guard(program.ready).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MemberLost);
  expect(String(failure)).toMatch(/api stopped unexpectedly \(exit code 3\n\s+API_KEYS: expected keys\)/);
});

test('a process that exits later rejects every pending wait', async () => {
  const crew = aCrew();
  const program = await aProgram(crew, 'worker', `${IS_READY} ${STAYS}`);
  expect(await crew.guard(program.ready)).toBe('ready now');
  process.kill(program.pid, 'SIGKILL');
  await expect(crew.trouble()).rejects.toThrow('worker stopped unexpectedly (SIGKILL');
  await expect(crew.guard(new Promise(() => undefined))).rejects.toThrow(MemberLost);
});

test('a process that is not ready in time is reported with the expected line', async () => {
  const crew = aCrew();
  const { ready } = await aProgram(crew, 'sandbox', STAYS, { readyWithinMs: 10 });
  await expect(crew.guard(ready)).rejects.toThrow(
    'sandbox is not ready after 0.01 s: expected a line like /^ready/',
  );
});

test('a process that cannot start is reported', async () => {
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

test('processes stop one by one in reverse start order', async () => {
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

test('an interruption ends the wait, and stopped processes do not count as lost', async () => {
  const crew = aCrew();
  const program = await aProgram(crew, 'api', `${GOES_ON_SIGTERM} ${IS_READY}`);
  await crew.guard(program.ready);
  crew.interrupt();
  await expect(crew.trouble()).rejects.toThrow(Interrupted);
  await crew.stop();
  await expect(crew.trouble()).rejects.toThrow(Interrupted);
});

test('a process that ignores SIGTERM is killed on request', async () => {
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

test('repeated signals of one Ctrl-C count once, and a later press counts again', () => {
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
