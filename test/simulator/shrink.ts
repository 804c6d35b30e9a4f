import { violationIn } from './invariants.js';
import { play } from './play.js';
import type { Rules } from './rules.js';
import type { Scenario } from './events.js';

export async function shrunk(scenario: Scenario, invariant: string, rules: Rules): Promise<Scenario> {
  const fails = async (some: Scenario): Promise<boolean> =>
    violationIn(await play(some, rules))?.invariant === invariant;
  let needed = scenario;
  for (let before = Infinity; needed.events.length < before;) {
    before = needed.events.length;
    for (const event of needed.events) {
      const without = { ...needed, events: needed.events.filter((other) => other !== event) };
      if (await fails(without)) needed = without;
    }
  }
  for (const plainer of plainerThan(needed)) {
    const tried = { ...needed, ...plainer };
    if (await fails(tried)) needed = tried;
  }
  return needed;
}

const plainerThan = (scenario: Scenario): Partial<Scenario>[] => [
  { beginsAs: 'ours' },
  { hides: 'nothing' },
  { isSigned: true },
  { hasGrace: true },
  { isNew: false },
  { payments: { ...scenario.payments, limit: 9, others: 0, by: [], refuses: false } },
];

export async function failureReportOf(scenario: Scenario, rules: Rules): Promise<string> {
  const { lines, statuses } = await play(scenario, rules, true);
  const { events, ...setup } = scenario;
  return [
    JSON.stringify(setup),
    ...lines.map(({ atMs, text }) => `${clock(atMs)}  ${text}`),
    ...statuses.map(
      ({ what, here, there = 'nothing', awaiting, flags }) =>
        `at the end  ${what}: ours ${here}, provider ${there}, awaits ${awaiting}, flags ${flags.join(' ') || 'none'}`,
    ),
    `${events.length} scenario events reproduce the failure`,
  ].join('\n');
}

function clock(atMs: number): string {
  const seconds = Math.floor(atMs / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  return `${Math.floor(hours / 24)}d ${two(hours % 24)}:${two(minutes % 60)}:${two(seconds % 60)}.${String(atMs % 1000).padStart(3, '0')}`;
}
