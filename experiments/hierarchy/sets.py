"""Sets of operators that are compared. Those with the name of a tool are the sets of that name of `--operators`."""

UOI = "AOIU AOIS LOI COI"

SETS = {
    "selective": f"ABS AOR LCR ROR {UOI}",
    "selective, SVR, DER": f"ABS AOR LCR ROR {UOI} SVR DER",
    "all that the study found strong": f"ABS AOR ASRS AOD CDL VDL LCR ROR {UOI} SVR DER CRP CSR RSR",
    "mujava": "AOR AOIU AOIS ROR LCR COI COD SOR LOR LOI ASRS SDL VCR VDL CDL AOD",
    "proteum": "AOR ROR LCR LOR SOR ASRS LOI COI ABS AOIS SVR CSR CRP SDL VCR DER SAN AOD VDL CDL CNR",
    "pit": "ROR AOR LOR SOR VCR RSR",
    "deletion": "SDL VCR VDL CDL AOD COD",
    # `--operators strong` is this set. tables.py chose it for 95 % of the dominators when there were no operators of array references; it keeps less now.
    "strong": "ABS AOIS ASRS CRP CSR LCR LOR SCR SDL SVR VDL",
    # What strong.py chooses on all programs but iroot; its choices on other eight and on all nine differ from it.
    "small": "ABS AOIS AOR LCR ROR SDL",
}
SETS = {title: names.split() for title, names in SETS.items()}
