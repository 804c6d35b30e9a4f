// The tasks in the order in which they come due, and how one is run: at its own time, whenever that is noticed.
import type { Clock } from './clock.js';
import type { Task, TaskKind } from './task.schema.js';
import type { Store } from '../store.js';

export interface Agenda {
  add(kind: TaskKind, uid: string, dueAtMs: number): void;
  next(): Task | undefined;
  /** Takes the first task that is due by then off the list. */
  takeDue(untilMs: number): Task | undefined;
  run(task: Task, runTask: (task: Task) => void): void;
}

export function createAgenda(store: Store, clock: Clock): Agenda {
  return {
    add(kind, uid, dueAtMs) {
      const before = store.tasks.findLastIndex((task) => task.due_at <= dueAtMs);
      store.tasks.splice(before + 1, 0, { kind, uid, due_at: dueAtMs });
      store.touch();
    },
    next: () => store.tasks[0],
    takeDue(untilMs) {
      const first = store.tasks[0];
      return first !== undefined && first.due_at <= untilMs ? store.tasks.shift() : undefined;
    },
    run(task, runTask) {
      clock.at(task.due_at, () => {
        runTask(task);
      });
      store.touch();
    },
  };
}
