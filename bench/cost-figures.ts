// A figure, its limit, and how it is told.
export interface Figure {
  what: string;
  met: number;
  /** The most that it may be. */
  limit: number;
}

export const isWithin = ({ met, limit }: Figure): boolean => met <= limit;

export const told = (figure: Figure): string =>
  `${isWithin(figure) ? 'ok  ' : 'OVER'} ${figure.what}: ${figure.met}, limit ${figure.limit}`;
