// The rules that were made while agreements were under way. A run that began before one was made goes on without it, and asks only
// where it makes a difference: a rule that holds leaves its mark in the run's history, for good.

/** By the name of its mark (`patched`): never changed, and never given to another one. */
export type Rule =
  | 'look-before-the-end' // an end that leaves something open is looked at first
  | 'facts-outdate-looks' // what moves an agreement makes the last look at it old
  | 'commands-are-seen-through' // what is on its way is not sent again because of a look
  | 'commands-are-seen-through-hand-overs' // nor because a fresh run takes over
  | 'commands-in-turn' // one that was called off has ended before the next is sent
  | 'told-answers' // what is vouched for, and the provider's, is the measure of what answers an action
  | 'all-answers-are-seen' // a watch is told of every answer that is known
  | 'answers-since-asked' // and of no more than could be taken for one
  | 'overdue-until-answered' // an amendment that is late keeps its flag, whatever else is told
  | 'ends-of-validity-are-taken-away' // by an amendment that says so, and whoever asked for it
  | 'ties-are-answers' // of one instant, what was not known when an action was asked for may answer it
  | 'old-webhooks-are-asked-about' // what may be a repeat of something forgotten is not folded again
  | 'ends-without-consent' // nobody is waited for who could only confirm an end
  | 'commands-before-looks' // what was asked for does not wait for looks that others ask for
  | 'looks-judge-what-was-known'; // a look says nothing of what came while it was made

export type Holds = (rule: Rule) => boolean;

/** As in a run that begins now. */
export const allHold: Holds = () => true;
