// What the pages of a day share: which day it is, and the form that chooses it.
import type { Child } from 'hono/jsx';
import { lastDueDay } from '../../../domain/settlement/days.js';
import { addDays, type Day } from '../../../domain/time/calendar.js';
import { sydneyDayOf } from '../../../domain/time/sydney.js';
import { aDay } from '../../http/parameters.schema.js';
import { pathOf } from '../../routes/links.js';
import { dayInWords } from '../format.js';
import type { Visit } from '../visit.js';

const nowOf = ({ dependencies }: Pick<Visit, 'dependencies'>): string =>
  new Date(dependencies.clock.now()).toISOString();

/** The day in the address. Without one, or with one that is none: the last day whose report is due. */
export const dayIn = (visit: Visit): Day => namedDayIn(visit) ?? lastDueDay(nowOf(visit));

/** The day in the address, if it is one. */
export const namedDayIn = ({ c }: Pick<Visit, 'c'>): Day | undefined => {
  const { data } = aDay.safeParse(c.req.query('day')?.trim());
  return data;
};

interface Chooser {
  visit: Visit;
  day: Day;
  /** The page, without its query. */
  page: string;
  /** The part of the page with the day. */
  anchor?: string;
  /** What else is in the address. */
  others?: Readonly<Record<string, string | undefined>>;
  /** Fields beside the day. */
  children?: Child;
}

/** Links to the day before and after, and a field for any day. Days after today have no data. */
export function DayChooser({ visit, day, page, anchor = '', others = {}, children }: Chooser) {
  const [before, after] = [addDays(day, -1), addDays(day, 1)];
  const link = (to: Day) => `${pathOf(page, { day: to, ...others })}${anchor}`;
  return (
    <>
      <form method="get" action={`${page}${anchor}`} class="filters" aria-label="Day">
        <div>
          <label for="day">Day in Sydney</label>
          <input id="day" name="day" type="date" value={day} />
        </div>
        {children}
        <div>
          <button>Show</button>
        </div>
      </form>
      <nav class="pager" aria-label="Days">
        <a href={link(before)}>Day before: {dayInWords(before)}</a>
        {after > sydneyDayOf(nowOf(visit)) ? null : <a href={link(after)}>Next day: {dayInWords(after)}</a>}
      </nav>
    </>
  );
}
