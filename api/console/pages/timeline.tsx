// The timeline of a resource in sentences, each with who said so.
import type { Timeline } from '../answers.js';
import { Foreign, Time } from '../parts.js';
import { words } from '../format.js';

type Entry = Timeline['data'][number];

const SOURCES: Readonly<Record<string, string>> = {
  webhook: 'the provider, in a webhook',
  history: 'the provider, in its list of events',
  lookup: 'the provider, in a look-up',
  command: 'this system',
};

function sayerOf({ kind, fact, details }: Entry): string {
  if (fact !== null)
    return `${SOURCES[fact.source] ?? fact.source}${fact.authenticated ? '' : ' (its sender is not proven)'}`;
  const by = details?.['by'];
  if (typeof by === 'string') return by;
  return kind === 'command' ? 'a caller' : 'the worker';
}

/** @param page the address of the page, for the link to newer entries. */
export function TimelineOf({ timeline, page }: { timeline: Timeline | undefined; page: string }) {
  const next = cursorIn(timeline?.links.next);
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      {timeline === undefined ? <p>The timeline is not available now.</p> : null}
      {timeline?.complete === false ? (
        <p class="notice warn">The records are not up to date, so newer entries may be missing.</p>
      ) : null}
      <ol class="timeline">
        {timeline?.data.map((entry) => (
          <li>
            <p>
              <Foreign text={entry.summary} />
            </p>
            <p class="hint">
              <Time at={entry.at} /> · {words(entry.kind)} · according to {sayerOf(entry)}
            </p>
          </li>
        ))}
      </ol>
      {next === undefined ? null : (
        <p>
          <a href={`${page}?timeline=${encodeURIComponent(next)}#timeline`}>Newer entries</a>
        </p>
      )}
    </section>
  );
}

/** The cursor of the next page of a list of the API. */
export const cursorIn = (next: string | undefined): string | undefined =>
  next === undefined ? undefined : (new URL(next, 'http://console').searchParams.get('cursor') ?? undefined);

/** The path of the page of the timeline that a person looks at. */
export function timelinePath(path: string, cursor: string | undefined): string {
  const query = new URLSearchParams({ per_page: '50', ...(cursor !== undefined && { cursor }) });
  return `${path}/timeline?${query.toString()}`;
}
