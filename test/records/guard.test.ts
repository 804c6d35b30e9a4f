import { expect, test } from 'vitest';
import { RecordsAway, watchDatabase } from '../../records/guard.js';

function aDatabase() {
  const at = { ms: 0, fails: false, tries: 0, said: [] as string[] };
  const guard = watchDatabase({
    now: () => at.ms,
    onFailure: (_, isAway) => at.said.push(isAway ? 'away' : 'failed'),
    onBack: () => at.said.push('back'),
  });
  const store = async () => {
    try {
      guard.admit();
      return await guard.attempt(() => {
        at.tries += 1;
        return at.fails ? Promise.reject(new Error('no answer')) : Promise.resolve('stored');
      });
    } catch (error) {
      return (error as Error).name;
    }
  };
  return { at, guard, store };
}

test('one slow statement does not stop the next', async () => {
  const { at, store } = aDatabase();
  at.fails = true;
  expect(await store()).toBe('Error');
  at.fails = false;
  expect(await store()).toBe('stored');
  expect(at).toMatchObject({ tries: 2, said: ['failed'] });
});

test('a database that is away is tried once in five seconds, until it answers', async () => {
  const { at, store } = aDatabase();
  at.fails = true;
  const answers: unknown[] = [];
  for (const ms of [0, 1, 2, 5002, 5003, 10_003]) {
    at.ms = ms;
    if (ms > 5003) at.fails = false;
    answers.push(await store());
  }
  expect(answers).toEqual(['Error', 'Error', RecordsAway.name, 'Error', RecordsAway.name, 'stored']);
  expect(at).toMatchObject({ tries: 4, said: ['failed', 'away', 'failed', 'back'] });
  expect(await store()).toBe('stored');
});

test('while one batch tries whether the database is back, others do not wait for it', async () => {
  const { at, guard, store } = aDatabase();
  at.fails = true;
  for (let failures = 0; failures < 2; failures += 1) await store();
  at.ms = 5000;
  guard.admit();
  expect(guard.admit).toThrow(RecordsAway);
});
