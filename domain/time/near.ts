// Which times a caller may name. Pure.

/** The database and the time zones know more years, but no payment is in them. */
export const isNear = (text: string): boolean => text >= '2000' && text < '2200';
export const NOT_NEAR = 'expected a year from 2000 to 2199';
