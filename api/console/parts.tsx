// Small parts that several pages use.
import type { Child } from 'hono/jsx';
import type { Attention } from '../../domain/attention/flags.js';
import { counted, dollars, duration, sentenceOf, sydneyTime, utcTime, words } from './format.js';
import type { Form } from './form.js';
import type { Problem } from './own-api.js';

/** An instant in Sydney and in UTC. */
export const Time = ({ at }: { at: string | null | undefined }) =>
  at == null ? (
    <>–</>
  ) : (
    <time datetime={at}>
      {sydneyTime(at)} <small>{utcTime(at)}</small>
    </time>
  );

export const Money = ({ cents }: { cents: number | null | undefined }) => (
  <span class="money">{cents == null ? '–' : dollars(cents)}</span>
);

/** Text from outside: its direction must not change the text around it. */
export const Foreign = ({ text }: { text: string | null | undefined }) =>
  text == null || text === '' ? <>–</> : <bdi>{text}</bdi>;

const GOOD = new Set(['active', 'settled', 'processed', 'healthy', 'stored', 'followed', 'matched']);
const BAD = new Set([
  'failed',
  'unresolved',
  'unknown',
  'declined',
  'lapsed',
  'late',
  'unreadable',
  'other_day',
  'blocked',
]);
export const State = ({ state }: { state: string }) => (
  <span class={`state ${GOOD.has(state) ? 'good' : BAD.has(state) ? 'bad' : 'neutral'}`}>{words(state)}</span>
);

interface Flagged {
  attention: readonly { code: string }[];
}

/** The codes of the flags of a row, for a file. */
export const flagsOf = ({ attention }: Flagged): string => attention.map(({ code }) => code).join(' ');

/** The flags of a row, beside its state. */
export const FlagsBeside = ({ attention }: Flagged) => (
  <>
    {attention.map(({ code }) => (
      <>
        {' '}
        <span class="flag">{words(code)}</span>
      </>
    ))}
  </>
);

/** Names and values. Rows without a value are left out. */
export const Facts = ({ rows }: { rows: readonly (readonly [string, Child])[] }) => (
  <dl>
    {rows
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

export const TokenField = ({ formToken }: { formToken: string }) => (
  <input type="hidden" name="form_token" value={formToken} />
);

export const HiddenFields = ({ form }: { form: Form }) => (
  <>
    {Object.entries(form).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);

/** A problem of the API, for a person. */
export const ProblemNotice = ({ problem, advice }: { problem: Problem; advice?: string | undefined }) => (
  <div class="notice bad" role="alert">
    <p>
      <b>{problem.title}.</b> {advice ?? problem.detail}
    </p>
    {(problem.errors ?? []).length === 0 || advice !== undefined ? null : (
      <ul>
        {problem.errors?.map(({ pointer, parameter, header, detail }) => (
          <li>
            {pointer ?? parameter ?? header}: {detail}
          </li>
        ))}
      </ul>
    )}
  </div>
);

/** Each raised flag, with what to do and the way to resolve it. */
export const Flags = ({
  flags,
  path,
  nowMs,
  next: nextFor = ({ next }) => next,
}: {
  flags: readonly Attention[];
  /** The page of the resource. Undefined: its flags are not resolved one by one. */
  path: string | undefined;
  nowMs: number;
  /** What to do, if it is not as the API states it. */
  next?: (flag: Attention) => string;
}) =>
  flags.length === 0 ? null : (
    <section aria-labelledby="flags" class="notice warn">
      <h2 id="flags">Needs a person: {counted(flags.length, 'flag')}</h2>
      {flags.map((flag) => (
        <div>
          <h3>
            {sentenceOf(flag.code)}, for {duration(nowMs - Date.parse(flag.since))}
          </h3>
          <p>
            <Foreign text={flag.detail} />
          </p>
          <p>
            <b>What to do:</b> {nextFor(flag)}
          </p>
          {path === undefined ? null : (
            <p>
              <a href={`${path}/flags/${flag.code}`}>Resolve the flag {words(flag.code)}</a>
            </p>
          )}
        </div>
      ))}
    </section>
  );

/** The same query for a terminal. */
export const Queries = ({ path, payto }: { path: string; payto: string }) => (
  <details>
    <summary>The same query in a terminal</summary>
    <p>
      With <code>PAYTO_URL</code> and <code>PAYTO_API_KEY</code> set:
    </p>
    <pre tabindex={0}>{`curl -sS -H "Authorization: Bearer $PAYTO_API_KEY" "$PAYTO_URL${path}"`}</pre>
    <pre tabindex={0}>{payto}</pre>
  </details>
);

/** @param label names the region for people who cannot see that it scrolls. */
export const Table = ({
  label,
  heads,
  rows,
}: {
  label: string;
  heads: readonly string[];
  rows: Child[][];
}) => (
  <div class="scrolls" role="region" aria-label={label} tabindex={0}>
    <table>
      <thead>
        <tr>
          {heads.map((head) => (
            <th scope="col">{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
