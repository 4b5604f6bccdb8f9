/** Provinces and states in the groups that carriers have terminals in. */

export const canada = "AB BC MB NB NL NS ON PE QC SK".split(" ");

/** The contiguous states and the district: reachable by truck without a ship. */
export const lowerStates = (
  "AL AR AZ CA CO CT DC DE FL GA IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY " +
  "OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY"
).split(" ");

/** Along the Canadian border and one state behind it. */
export const northernStates = "CT ID IL IN MA ME MI MN MT ND NH NJ NY OH PA RI VT WA WI".split(" ");
