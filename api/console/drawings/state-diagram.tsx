// Where a resource stands in its life, as a drawing that also fits a telephone.
import { words } from '../format.js';

interface Node {
  state: string;
  x: number;
  y: number;
}
type Arrow = readonly [from: string, to: string];
export interface Life {
  nodes: readonly Node[];
  arrows: readonly Arrow[];
  height: number;
}

const WIDTH = 360;
const BOX = { width: 84, height: 30 };
const row = (y: number, ...states: readonly string[]): Node[] =>
  states.map((state, index) => ({
    state,
    y,
    x: ((index + 0.5) * WIDTH) / states.length - BOX.width / 2,
  }));

export const AGREEMENT_LIFE: Life = {
  nodes: [
    ...row(4, 'pending', 'created'),
    ...row(74, 'active', 'suspended'),
    ...row(144, 'declined', 'expired', 'cancelled', 'failed'),
  ],
  arrows: [
    ['pending', 'created'],
    ['created', 'active'],
    ['active', 'suspended'],
    ['suspended', 'active'],
    ['created', 'declined'],
    ['active', 'expired'],
    ['active', 'cancelled'],
    ['suspended', 'cancelled'],
    ['pending', 'failed'],
  ],
  height: 180,
};

export const PAYMENT_LIFE: Life = {
  nodes: [
    ...row(4, 'requested', 'pending', 'under_investigation'),
    ...row(74, 'settled', 'failed', 'retrying'),
    ...row(144, 'lapsed', 'withdrawn', 'unresolved'),
  ],
  arrows: [
    ['requested', 'pending'],
    ['pending', 'under_investigation'],
    ['pending', 'settled'],
    ['under_investigation', 'failed'],
    ['pending', 'failed'],
    ['failed', 'retrying'],
  ],
  height: 180,
};

/** States that are drawn as another one, because a person sees no difference. */
const DRAWN_AS: Readonly<Record<string, string>> = { created: 'pending', submitting: 'pending' };

export function StateDiagram({ life, state, noun }: { life: Life; state: string; noun: string }) {
  const isDrawn = (one: string) => life.nodes.some((node) => node.state === one);
  const current = isDrawn(state) ? state : (DRAWN_AS[state] ?? state);
  return (
    <figure class="life">
      <svg viewBox={`0 0 ${WIDTH} ${life.height}`} role="img" aria-labelledby="life-title">
        <title id="life-title">{`The states of ${noun}. It is ${words(state)} now.`}</title>
        {life.arrows.map((arrow) => (
          <ArrowOf life={life} arrow={arrow} />
        ))}
        {life.nodes.map(({ state: name, x, y }) => (
          <g class={name === current ? 'now' : 'other'}>
            <rect x={x} y={y} width={BOX.width} height={BOX.height} rx="6" />
            {linesOf(name).map((line, index, all) => (
              <text
                x={x + BOX.width / 2}
                y={y + 19 + (index - (all.length - 1) / 2) * 11}
                text-anchor="middle"
              >
                {line}
              </text>
            ))}
          </g>
        ))}
      </svg>
    </figure>
  );
}

/** A long name needs two lines. */
const linesOf = (state: string): string[] => (state.length > 12 ? words(state).split(' ') : [words(state)]);

function ArrowOf({ life, arrow: [from, to] }: { life: Life; arrow: Arrow }) {
  const [a, b] = [from, to].map((name) => life.nodes.find(({ state }) => state === name));
  if (a === undefined || b === undefined) return null;
  const isLevel = a.y === b.y;
  const isBack = isLevel && a.x > b.x;
  const middle = (node: Node) => node.x + BOX.width / 2;
  const start = isLevel
    ? { x: isBack ? a.x : a.x + BOX.width, y: a.y + (isBack ? 21 : 10) }
    : { x: middle(a), y: a.y + BOX.height };
  const end = isLevel
    ? { x: isBack ? b.x + BOX.width : b.x, y: b.y + (isBack ? 21 : 10) }
    : { x: middle(b), y: b.y };
  const angle = (Math.atan2(end.y - start.y, end.x - start.x) * 180) / Math.PI;
  return (
    <g class="arrow">
      <line x1={start.x} y1={start.y} x2={end.x} y2={end.y} />
      <polygon
        points="0,0 -7,-3.5 -7,3.5"
        transform={`translate(${end.x} ${end.y}) rotate(${Math.round(angle)})`}
      />
    </g>
  );
}
