"""Writes the football graph (12 clubs, one season) as neo4j-admin CSVs: python make.py"""
import csv, random, datetime as dt
from pathlib import Path
R = random.Random(4401); HERE = Path(__file__).resolve().parent
NODES, RELS = {}, {}
def node(label, id, name, **p): NODES.setdefault(label, []).append((id, name, p)); return id
def rel(t, a, b, **p): RELS.setdefault(t, []).append((a, b, p))
def day(y0, y1): 
    a = dt.date(y0,1,1); return (a + dt.timedelta(R.randrange((dt.date(y1,12,31)-a).days))).isoformat()
REG = ["Coast", "Highlands", "Lowlands"]
cities = [("Brackwater",412000,0),("Tarnholm",268000,1),("Eastmere",189000,0),("Vellbruck",735000,2),("Corrindale",98000,1),
  ("Port Samson",321000,0),("Hollenau",144000,2),("Quarrick",61000,1),("Lindenfeld",227000,2),("Sandrise",83000,0),("Ostwick",39000,1)]
for i,(n,p,r) in enumerate(cities): node("City", f"ci{i}", n, population=p, region=REG[r])
stad = [("Harbour Park",38400,1911,False,"grass",0),("Tarn Lane",21500,1924,False,"hybrid",1),("Lighthouse Arena",17800,2009,True,"artificial",2),
 ("Volkshaus Stadium",61200,1974,True,"hybrid",3),("Miller's Field",9400,1898,False,"grass",4),("Samson Dome",44100,2016,True,"artificial",5),
 ("Am Weiher",15300,1952,False,"grass",6),("The Quarry",7200,1931,False,"grass",7),("Lindenstadion",29800,1986,False,"hybrid",8),
 ("Dune Ground",6800,1967,False,"artificial",9),("Old Brewery Ground",12600,1903,False,"grass",3)]
for i,(n,c,o,r,s,ci) in enumerate(stad):
    node("Stadium", f"s{i}", n, capacity=c, opened=o, has_roof=r, surface=s); rel("LOCATED_IN", f"s{i}", f"ci{ci}")
# name, nickname, founded, colours, budget, fan owned, members, stadium, city
clubs = [("Brackwater Rovers","the Gulls","1897","blue and white",48000000,False,21400,0,0),
 ("Tarnholm Athletic","the Herons",1921,"green",19500000,True,8800,1,1),
 ("Eastmere Town","the Lamplighters",1934,"yellow and black",14200000,True,5100,2,2),
 ("FC Vellbruck","the Smiths",1902,"red",96000000,False,74000,3,3),
 ("Corrindale Wanderers","the Millers",1889,"white",7400000,True,3900,4,4),
 ("Port Samson United","the Stevedores",1908,"orange",62500000,False,32000,5,5),
 ("SV Hollenau","the Pikes",1947,"blue and yellow",11800000,True,6200,6,6),
 ("Quarrick Stonecutters","the Chisels",1926,"grey and red",4300000,True,None,7,7),
 ("Lindenfeld 05","the Foresters",1905,"green and white",33700000,False,18700,8,8),
 ("Sandrise Albion","the Crabs",1961,"sky blue",5900000,False,2600,9,9),
 ("Vellbruck Arsenal Works","the Hammers",1913,"black",27000000,True,15500,10,3),
 ("Harbour Boys Brackwater","the Ferrymen",1972,"red and white",9100000,True,4450,0,0)]
for i,(n,nn,f,co,b,fo,m,s,ci) in enumerate(clubs):
    node("Club", f"c{i}", n, nickname=nn, founded=int(f), colours=co, annual_budget_eur=b, is_fan_owned=fo, members=m)
    rel("HOME_GROUND", f"c{i}", f"s{s}", **{"tenant_since":max(int(f),stad[s][2])}); rel("BASED_IN", f"c{i}", f"ci{ci}")
for a,b,d in [(0,11,"Harbour Derby"),(3,10,"Smithy Derby"),(1,4,"Highland Clash"),(5,0,"Coast Classic"),(8,6,"Lowland Duel"),(7,4,"Stone and Flour")]:
    rel("RIVAL_OF", f"c{a}", f"c{b}", derby_name=d)
countries = ["Norvania","Estrel","Marrow Islands","Caldonia","Bessaria","Tirolle","Oruba","Zanthe","Kelmark","Ivarra","Senqua","Palmeira","Lorrand"]
conts = ["Europe","Europe","Oceania","Europe","Asia","Europe","South America","Africa","Europe","South America","Africa","South America","Europe"]
for i,n in enumerate(countries): node("Country", f"co{i}", n, continent=conts[i], fifa_rank=[18,7,96,33,52,24,4,41,60,11,29,2,15][i])
agencies = [("Northstar Sports",2004,5.0),("Pitchside Partners",1998,7.5),("Bellamy & Sons",1987,8.0),("Touchline Management",2012,6.0),("Ace Eleven",2018,10.0)]
for i,(n,f,c) in enumerate(agencies): node("Agency", f"a{i}", n, founded=f, commission_pct=c); rel("SEATED_IN", f"a{i}", f"ci{[3,0,5,3,8][i]}")
FIRST = "Milo Anders Tomas Jago Luca Emeka Rafael Idris Bram Sven Oskar Kofi Mateo Yannick Dario Elias Finn Gideon Hamish Ismael Joren Kasper Leandro Marek Nico Otis Pavel Quillan Rune Stellan Teo Ugo Viktor Wilder Xander Yusuf Zeno Alaric Basti Cato Demba Ezra".split()
LAST = ("Abara Bergdal Castellane Dunmore Eskildsen Farrow Grantham Holloway Ibarran Jorvik Kessling Lomax Mbeki-Toure Norquist Okafell Pellegrin Quist Rademaker Sundvall Tamworth "
 "Umbarro Vasquell Wetherby Yarrow Zielke Achterberg Bonamy Corvane Delacruz Eversham Fontclair Gudmarsen Hartwell Isakov Jelavic Kwarteng Lindgaard Marchetti Nwosu Oyelaran Prendergast "
 "Rosenthal Skarsten Thackeray Ulverston Verhoeven Winterbourne Zamorano Aldecott Brannagh Czerny Dragovic Ekholm Fennimore Gallardo Huxtable").split()
used=set()
REN={"Demba Tamworth":"Demba Oduya","Zeno Eversham":"Zeno Stavrakis","Emeka Okafell":"Emeka Lanzerath","Hamish Zielke":"Hamish Ostrander","Ugo Umbarro":"Ugo Matsebula","Yannick Jorvik":"Yannick Pomeroy","Dario Grantham":"Dario Villacourt","Yannick Achterberg":"Yannick Hollenbeck","Basti Corvane":"Basti Fairweather"}
def person():
    while True:
        n=f"{R.choice(FIRST)} {R.choice(LAST)}"
        if n not in used: used.add(n); return REN.get(n,n)
POS = ["goalkeeper"]*2+["defender"]*6+["midfielder"]*5+["forward"]*4
players={}; mvs={}; pid=0; squad={}
for c in range(12):
    b=clubs[c][4]; squad[c]=[]
    for k,pos in enumerate(POS):
        p=f"p{pid}"; pid+=1; n=person()
        h={"goalkeeper":(184,201),"defender":(178,198),"midfielder":(166,189),"forward":(168,196)}[pos]
        mv=int(round(b*R.uniform(.01,.12)/50000)*50000)
        nf=R.choices([0,1,2],[4,4,1])[0]
        node("Player",p,n,birth_date=day(1986,1996) if nf else day(1991,2007),position=pos,height_cm=R.randint(*h),preferred_foot=R.choices(["right","left","both"],[6,3,1])[0],
             market_value_eur=mv if R.random()>.05 else None, is_injured=R.random()<.1)
        y=R.choice([2018,2019,2020,2021,2022,2023,2024])
        rel("PLAYS_FOR",p,f"c{c}",shirt_number=[1,12,2,3,4,5,15,22,6,8,10,16,20,7,9,11,19][k],since=f"{y}-07-01",contract_until=f"{R.choice([2025,2026,2026,2027,2028])}-06-30",
            is_captain=(k==[3,8,2,10,0,9,4,5,14,6,11,3][c]), weekly_wage_eur=max(900,int(mv*R.uniform(.003,.008)/100)*100))
        players[p]=(n,pos,c); mvs[p]=mv; squad[c].append(p)
        rel("CITIZEN_OF",p,f"co{R.choices(range(13),[9,6,1,6,3,3,3,3,2,2,2,3,3])[0]}")
        if R.random()<.55: rel("REPRESENTED_BY",p,f"a{R.randrange(5)}",until=f"{R.choice([2025,2026,2027,2028])}-12-31")
        if R.random()<.7: rel("BORN_IN",p,f"ci{R.randrange(11)}")
        for oc in R.sample([x for x in range(12) if x!=c],nf):
            fr=R.randint(2012,2017); rel("FORMERLY_PLAYED_FOR",p,f"c{oc}",from_year=fr,to_year=fr+R.randint(1,3),appearances=R.randint(3,88))
# dual citizens
have={(a,b) for a,b,_ in RELS["CITIZEN_OF"]}
for p in R.sample(sorted(players),22):
    c=f"co{R.randrange(13)}"
    if (p,c) not in have: rel("CITIZEN_OF",p,c)
LIC=["UEFA Pro","UEFA A","UEFA B"]
coach=[]
for c in range(12):
    for role in ["head coach","assistant coach"]+(["goalkeeping coach"] if c%3==0 else []):
        k=f"k{len(coach)}"; n=person(); coach.append(k); bd=day(1956,1984)
        node("Coach",k,n,birth_date=bd,licence="UEFA Pro" if role=="head coach" and c!=9 else R.choice(LIC[1:]),salary_eur=int(clubs[c][4]*(.02 if role=="head coach" else .006)/1000)*1000, is_former_international=R.random()<.35)
        rel("COACHES",k,f"c{c}",role=role,since=day(2016,2024))
        rel("CITIZEN_OF",k,f"co{R.randrange(13)}")
        if R.random()<.4: fr=int(bd[:4])+R.randint(18,23); rel("FORMERLY_PLAYED_FOR",k,f"c{R.randrange(12)}",from_year=fr,to_year=fr+R.randint(2,9),appearances=R.randint(20,240))
JOBS=["teacher","police officer","dentist","accountant","baker","engineer","full-time referee","lawyer","postman"]
for i in range(9):
    node("Referee",f"r{i}",person(),birth_date=day(1970,1983),refereeing_since=R.randint(2001,2019),is_fifa_listed=i in(0,3,4,6),day_job=JOBS[i]); rel("LIVES_IN",f"r{i}",f"ci{R.randrange(11)}")
sponsors=[("Kraken Energy Drinks","beverages"),("Vellbruck Savings Bank","banking"),("Osterman Tyres","automotive"),("Blue Lantern Insurance","insurance"),("Halcyon Airlines","travel"),
 ("Dockside Brewery","beverages"),("Mobilo Telecom","telecoms"),("Grünwald Sausages","food"),("Pinewood Furniture","retail"),("Betterby","gambling")]
for i,(n,ind) in enumerate(sponsors): node("Sponsor",f"sp{i}",n,industry=ind,employees=R.randint(40,9000))
SP=[(3,1),(3,4),(3,0),(0,5),(0,3),(5,4),(5,9),(10,2),(8,8),(8,6),(1,6),(2,3),(6,7),(4,7),(11,5),(9,9)]
for c,s in SP: rel("SPONSORED_BY",f"c{c}",f"sp{s}",deal=R.choice(["shirt","sleeve","stadium naming","training kit"]),amount_eur=int(clubs[c][4]*R.uniform(.04,.15)/10000)*10000,until=f"{R.choice([2025,2026,2027,2029])}-06-30")
# matches
strength=[7,5,4,9,2,8,4,2,6,3,6,4]
order=list(range(12)); rounds=[]
for r in range(11):
    pairs=[(order[i],order[11-i]) if (r+i)%2 else (order[11-i],order[i]) for i in range(6)]; rounds.append(pairs)
    order=[order[0]]+[order[-1]]+order[1:-1]
rounds+= [[(b,a) for a,b in pr] for pr in rounds]
def poisson(l):
    import math
    L=math.exp(-l);k=0;p=1
    while True:
        p*=R.random()
        if p<L: return k
        k+=1
date=dt.date(2024,8,10); mid=0
W=["clear","rain","cloudy","snow","wind"]
for md,pairs in enumerate(rounds,1):
    if md==12: date=dt.date(2025,2,1)
    for a,b in pairs:
        m=f"m{mid}"; mid+=1
        hg=poisson(.55+strength[a]*.22); ag=poisson(.35+strength[b]*.19)
        d=date+dt.timedelta(R.choice([0,0,0,1,1,-1])); s=clubs[a][7]
        node("Match",m,f"{clubs[a][0]} v {clubs[b][0]}",matchday=md,match_date=d.isoformat(),kick_off=R.choice(["13:00","15:30","15:30","18:00","20:30"]),
             home_goals=hg,away_goals=ag,attendance=min(stad[s][1],int(stad[s][1]*R.uniform(.35,1.12))),weather=R.choices(W,[4,2,4,1 if md in(10,11,12,13) else 0,1])[0],shown_live_on_tv=R.random()<.3)
        rel("HOME_TEAM",m,f"c{a}"); rel("AWAY_TEAM",m,f"c{b}"); rel("PLAYED_AT",m,f"s{s}")
        rs=R.sample(range(9),2); rel("REFEREED_BY",m,f"r{rs[0]}",duty="main"); rel("REFEREED_BY",m,f"r{rs[1]}",duty="video")
        for c,g in((a,hg),(b,ag)):
            t={}
            for _ in range(g):
                p=R.choices(squad[c],[0,0]+[1]*6+[3]*5+[7,14,8,4])[0]; t[p]=t.get(p,0)+1
            for p,n in t.items(): rel("SCORED_IN",p,m,goals=n,first_goal_minute=R.randint(1,93),penalties=1 if R.random()<.12 else 0)
            for p in R.sample(squad[c],R.choices([0,1,2],[3,3,2])[0]): rel("BOOKED_IN",p,m,card="red" if R.random()<.1 else "yellow",minute=R.randint(4,94))
    date+=dt.timedelta(7)
# transfers
for i,p in enumerate(R.sample(sorted(players),28)):
    n,pos,c=players[p]; o=R.choice([x for x in range(12) if x!=c]); loan=R.random()<.25
    t=node("Transfer",f"t{i}",f"{n} to {clubs[c][0]}",fee_eur=0 if loan else (None if i==5 else int(round(mvs[p]*R.uniform(.5,1.6)/50000)*50000)+50000),transfer_date=R.choice(["2024-07-03","2024-07-19","2024-08-02","2024-08-30","2025-01-08","2025-01-22","2025-01-31"]),is_loan=loan)
    rel("TRANSFER_OF",t,p); rel("FROM_CLUB",t,f"c{o}"); rel("TO_CLUB",t,f"c{c}")
    if R.random()<.5: rel("BROKERED_BY",t,f"a{R.randrange(5)}",commission_eur=R.randint(2,60)*10000)
awards=[("Golden Boot","season"),("Golden Glove","season"),("Young Player of the Season","season"),("Goal of the Month August","month"),("Goal of the Month October","month"),("Goal of the Month March","month"),("Fair Play Trophy","season"),("Fans' Favourite","season")]
goals={}
for a,b,p in RELS["SCORED_IN"]: goals[a]=goals.get(a,0)+p["goals"]
top=sorted(goals,key=lambda p:-goals[p])
W8=[top[0],squad[3][0],top[4],squad[6][14],top[7],squad[1][10],squad[8][4],top[0]]
for i,((n,k),p) in enumerate(zip(awards,W8)): node("Award",f"aw{i}",n,category=k,prize_eur=[20000,15000,10000,1500,1500,2000,5000,None][i]); rel("WON",p,f"aw{i}",votes=R.randint(40,4000))
def typ(vs):
    v=[x for x in vs if x is not None]
    if all(isinstance(x,bool) for x in v): return ":boolean"
    if all(isinstance(x,int) for x in v): return ":int"
    if all(isinstance(x,float) for x in v): return ":float"
    if all(len(x)==10 and x[4]=="-" and x[7]=="-" for x in v): return ":date"
    return ""
s=lambda x:"" if x is None else str(x).lower() if isinstance(x,bool) else x
for f in HERE.glob("*.csv"): f.unlink()
for l,rows in NODES.items():
    ks=list(rows[0][2])
    with open(HERE/f"{l.lower()}.csv","w",newline="") as f:
        w=csv.writer(f,lineterminator="\n"); w.writerow(["id:ID","name",":LABEL"]+[k+typ([r[2][k] for r in rows]) for k in ks])
        for i,n,p in rows: w.writerow([i,n,l]+[s(p[k]) for k in ks])
for t,rows in RELS.items():
    ks=list(rows[0][2])
    with open(HERE/f"rel_{t.lower()}.csv","w",newline="") as f:
        w=csv.writer(f,lineterminator="\n"); w.writerow([":START_ID",":END_ID",":TYPE"]+[k+typ([r[2][k] for r in rows]) for k in ks])
        for a,b,p in rows: w.writerow([a,b,t]+[s(p[k]) for k in ks])
print({l:len(r) for l,r in NODES.items()},sum(map(len,NODES.values())),{t:len(r) for t,r in RELS.items()},sum(map(len,RELS.values())))
