// A figure, its limit, and how it is printed.
export interface Figure {
  what: string;
  met: number;
  /** The most that it may be; absent where it is counted to be known, and nothing was promised. */
  limit?: number;
}

export const isWithin = ({ met, limit }: Figure): boolean => limit === undefined || met <= limit;

export function lineOf(figure: Figure): string {
  const { what, met, limit } = figure;
  if (limit === undefined) return `     ${what}: ${met}, no limit`;
  return `${isWithin(figure) ? 'ok  ' : 'OVER'} ${what}: ${met}, limit ${limit}`;
}
