// Settled and failed cents of 30 days as bars, drawn on the server.
import type { Day } from '../figures/money.js';
import { dayInWords, dollars } from '../format.js';
import { Table } from '../parts.js';

const WIDTH = 600;
const HEIGHT = 120;

export function MoneyChart({ days, today }: { days: readonly Day[]; today: string }) {
  const most = Math.max(...days.map(({ settled, failed }) => settled + failed), 1);
  const step = WIDTH / Math.max(days.length, 1);
  const heightOf = (cents: number) => Math.round((cents / most) * HEIGHT * 100) / 100;
  const active = days.filter(({ settled, failed }) => settled + failed > 0);
  return (
    <figure>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 2}`} role="img" aria-labelledby="chart-title">
        <title id="chart-title">
          {active.length === 0
            ? 'No payment settled or failed in the latest 30 days.'
            : `Settled and failed payments of 30 days until ${dayInWords(today)}. The table below has the numbers.`}
        </title>
        {days.map(({ day, settled, failed }, index) => (
          <g>
            <title>{`${dayInWords(day)}: ${dollars(settled)} settled, ${dollars(failed)} failed`}</title>
            <rect
              class="bar-settled"
              x={index * step + 2}
              width={step - 4}
              y={HEIGHT - heightOf(settled)}
              height={heightOf(settled)}
            />
            <rect
              class="bar-failed"
              x={index * step + 2}
              width={step - 4}
              y={HEIGHT - heightOf(settled) - heightOf(failed)}
              height={heightOf(failed)}
            />
          </g>
        ))}
        <line class="axis" x1="0" x2={WIDTH} y1={HEIGHT + 1} y2={HEIGHT + 1} />
      </svg>
      <figcaption>
        The latest 30 days: <span class="key settled">settled</span> and{' '}
        <span class="key failed">failed</span>, by the day of the outcome. The highest bar is{' '}
        {dollars(most === 1 ? 0 : most)}.
      </figcaption>
      {active.length === 0 ? null : <Numbers days={active.toReversed()} />}
    </figure>
  );
}

const Numbers = ({ days }: { days: readonly Day[] }) => (
  <details>
    <summary>The numbers of the chart</summary>
    <Table
      label="Settled and failed by day"
      heads={['Day', 'Settled', 'Failed']}
      rows={days.map(({ day, settled, failed }) => [dayInWords(day), dollars(settled), dollars(failed)])}
    />
  </details>
);
