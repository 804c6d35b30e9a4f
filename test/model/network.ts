// What lies between the provider and us, and goes wrong: calls whose answers are lost, slow ones, stale readings, missing
// consent; webhooks that are lost, late, out of order, twice, or signed by nobody. Weather that is not made is fair.
import type { Attempt } from '../support/virtual-runtime.js';
import type { Agenda } from '../support/agenda.js';
import type { ProviderEvent } from './provider-interface.js';

/** What becomes of the next request. `reachMs` until it is at the provider, `backMs` from there until we know. */
export interface CallWeather {
  fate: 'answered' | 'lost_before' | 'lost_after';
  reachMs: number;
  backMs: number;
  /** How old the reading is that a read is answered with. */
  lagMs: number;
}

/** When the copies of the next webhook arrive: none of them is lost, several are repeats. */
export type WebhookWeather = readonly number[];

/** `lost` says nothing of what happened at the provider; `failed` is what the attempt comes to, whatever was asked. */
export type Answer<T> = { got: T } | 'lost' | 'forbidden' | { failed: Attempt<never> };

/** One HTTP request. `act` runs at the provider, and may find that it is asked of a reading some time ago. */
export interface Line {
  request: <T>(act: (lagMs: number) => T, done: (answer: Answer<T>) => void, isCommand?: boolean) => void;
}

export interface Network extends Line {
  /** How many requests there have been. */
  sent(): number;
  push(event: ProviderEvent): void;
  nextCall(weather: CallWeather): void;
  nextWebhook: (weather: WebhookWeather) => void;
  consent(isGiven: boolean): void;
  /** For so long no command is answered, whether it arrives or not. */
  failCommands(forMs: number, fate: 'lost_before' | 'lost_after'): void;
  /** The weather clears; what is still on its way arrives, or never will. */
  calm(late: 'lose' | 'deliver'): void;
}

const FAIR: CallWeather = { fate: 'answered', reachMs: 40, backMs: 40, lagMs: 0 };
const PROMPT: WebhookWeather = [200];

const NO_OUTAGE = { untilMs: 0, fate: 'answered' } as const;

/** More requests than this within a minute are no watching any more; each notification may lead to some of its own. */
const MOST_IN_A_MINUTE = 60;
const MOST_FOR_EACH = 4;

export function createNetwork(agenda: Agenda, deliver: (event: ProviderEvent) => void): Network {
  let calls: CallWeather[] = [];
  let webhooks: WebhookWeather[] = [];
  let hasConsent = true;
  let outage: { untilMs: number; fate: CallWeather['fate'] } = NO_OUTAGE;
  let onTheWay: { event: ProviderEvent }[] = [];
  let recent: number[] = [];
  let arrivals: number[] = [];
  let sent = 0;

  const notTooMany = (): void => {
    recent = [...recent.filter((atMs) => atMs > agenda.nowMs() - 60_000), agenda.nowMs()];
    arrivals = arrivals.filter((atMs) => atMs > agenda.nowMs() - 120_000);
    if (recent.length > MOST_IN_A_MINUTE + MOST_FOR_EACH * arrivals.length)
      throw new Error(`${recent.length} requests within a minute`);
  };
  const arrive = (copy: { event: ProviderEvent }): void => {
    if (!onTheWay.includes(copy)) return;
    onTheWay = onTheWay.filter((other) => other !== copy);
    arrivals.push(agenda.nowMs());
    deliver(copy.event);
  };
  return {
    request: (act, done, isCommand = false) => {
      notTooMany();
      sent += 1;
      const weather = calls.shift() ?? FAIR;
      const { reachMs, backMs, lagMs } = weather;
      const fate = isCommand && agenda.nowMs() < outage.untilMs ? outage.fate : weather.fate;
      agenda.after(reachMs, () => {
        const answer = !hasConsent ? 'forbidden' : fate === 'lost_before' ? 'lost' : { got: act(lagMs) };
        agenda.after(backMs, () => {
          done(fate === 'lost_after' && answer !== 'forbidden' ? 'lost' : answer);
        });
      });
    },
    sent: () => sent,
    push: (event) => {
      for (const delayMs of webhooks.shift() ?? PROMPT) {
        const copy = { event };
        onTheWay.push(copy);
        agenda.after(delayMs, () => {
          arrive(copy);
        });
      }
    },
    nextCall: (weather) => void calls.push(weather),
    nextWebhook: (weather) => void webhooks.push(weather),
    failCommands: (forMs, fate) => void (outage = { untilMs: agenda.nowMs() + forMs, fate }),
    consent: (isGiven) => void (hasConsent = isGiven),
    calm: (late) => {
      calls = [];
      webhooks = [];
      hasConsent = true;
      outage = NO_OUTAGE;
      if (late === 'lose') onTheWay = [];
      else onTheWay.forEach(arrive);
    },
  };
}
