// Runs due tasks on the sandbox's clock: by a timer, before every call, or while time is advanced.
import type { Task, TaskKind, Store } from '../store/document.js';
import type { Clock } from './clock.js';

// The tasks in the order of their due times. Each runs with the clock at its due time.
export type Agenda = ReturnType<typeof createAgenda>;

function createAgenda(store: Store, clock: Clock) {
  return {
    add(kind: TaskKind, uid: string, dueAtMs: number): void {
      const before = store.tasks.findLastIndex((task) => task.due_at <= dueAtMs);
      store.tasks.splice(before + 1, 0, { kind, uid, due_at: dueAtMs });
      store.touch();
    },
    next: (): Task | undefined => store.tasks[0],
    /** Removes and returns the first task that is due by this time. */
    takeDue(untilMs: number): Task | undefined {
      const first = store.tasks[0];
      return first !== undefined && first.due_at <= untilMs ? store.tasks.shift() : undefined;
    },
    run(task: Task, runTask: (task: Task) => void): void {
      clock.at(task.due_at, () => {
        runTask(task);
      });
      store.touch();
    },
  };
}

const LONGEST_TIMEOUT_MS = 2_147_483_647;

export type Scheduler = ReturnType<typeof createScheduler>;

export interface TaskRunner {
  run: (task: Task) => void;
  /** Waits for the webhooks that the tasks have queued. */
  settled: () => Promise<void>;
}

export function createScheduler(store: Store, clock: Clock) {
  const agenda = createAgenda(store, clock);
  let runner: TaskRunner | undefined;
  let timer: NodeJS.Timeout | undefined;
  const advances = createSequence();

  /** Runs all due tasks. Every call starts with it, so that it sees the current state. */
  function catchUp(): void {
    if (runner !== undefined) runDue(agenda, clock, runner);
    arm();
  }
  function arm(): void {
    clearTimeout(timer);
    const next = agenda.next();
    if (runner === undefined || advances.isBusy() || next === undefined) return;
    timer = setTimeout(catchUp, Math.min(Math.max(next.due_at - clock.now(), 0), LONGEST_TIMEOUT_MS));
  }
  return {
    add(kind: TaskKind, uid: string, dueAtMs: number): void {
      agenda.add(kind, uid, dueAtMs);
      arm();
    },
    catchUp,
    /** Advances the clock and runs due tasks. After each task it waits for the task's webhooks. */
    advance(byMs: number): Promise<void> {
      return advances.run(async () => runner && moveOn(store, clock, agenda, runner, byMs)).finally(arm);
    },
    /** Starts to run tasks. */
    start(taskRunner: TaskRunner): void {
      runner = taskRunner;
      catchUp();
    },
    stop(): void {
      runner = undefined;
      clearTimeout(timer);
    },
  };
}

/** Runs work sequentially, in the order of the requests. */
function createSequence() {
  let last = Promise.resolve();
  let unfinished = 0;
  return {
    isBusy: () => unfinished > 0,
    run(work: () => Promise<void>): Promise<void> {
      unfinished += 1;
      const mine = last.then(work).finally(() => {
        unfinished -= 1;
      });
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

function runDue(agenda: Agenda, clock: Clock, { run }: TaskRunner): void {
  for (let task = agenda.takeDue(clock.now()); task; task = agenda.takeDue(clock.now()))
    agenda.run(task, run);
}

async function moveOn(
  store: Store,
  clock: Clock,
  agenda: Agenda,
  { run, settled }: TaskRunner,
  byMs: number,
): Promise<void> {
  const { tasks } = store;
  const target = clock.now() + byMs;
  clock.freeze(clock.now());
  await settled();
  for (let task = agenda.takeDue(target); task; task = agenda.takeDue(target)) {
    clock.freeze(Math.max(task.due_at, clock.now()));
    agenda.run(task, run);
    await settled();
  }
  // If a reset has replaced the tasks, it has also set the clock.
  if (store.tasks === tasks) clock.release(target);
  store.touch();
}
